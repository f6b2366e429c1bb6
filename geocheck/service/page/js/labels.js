// Words on the map that do not lie over each other: names of streets, and values beside the measured lines.

const WAYS = [[0, -1], [0, 1], [1, 0], [-1, 0], [1, -1], [-1, -1], [1, 1], [-1, 1]];
const AWAY_PX = [14, 30, 52, 80];

/** Put each name where it is, turned along its street, if nothing lies there yet. */
export function placeNames(map, names, skipAt) {
  const taken = around(map, skipAt);
  for (const each of names) {
    const at = map.latLngToLayerPoint(each.at);
    each.made.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = each.made;
    const turn = (each.turn * Math.PI) / 180;
    const cos = Math.abs(Math.cos(turn));
    const sin = Math.abs(Math.sin(turn));
    const box = boxAt(at.x, at.y, width * cos + height * sin, width * sin + height * cos);
    each.made.hidden = map.getZoom() < 16 || taken.some((other) => meet(box, other));
    if (each.made.hidden) continue;
    taken.push(box);
    each.made.style.transform = `translate(${at.x - width / 2}px, ${at.y - height / 2}px) rotate(${each.turn}deg)`;
  }
}

/** Put each value beside the middle of its line, clear of the skip and of other values; else leave it out. */
export function placeValues(map, values, skipAt) {
  const taken = around(map, skipAt);
  const low = map.containerPointToLayerPoint([0, 0]);
  const size = map.getSize();
  const frame = map.getContainer().getBoundingClientRect();
  for (const each of map.getContainer().querySelectorAll(".leaflet-control")) {
    const { left, top, right, bottom } = each.getBoundingClientRect();
    taken.push({ left: low.x + left - frame.left, right: low.x + right - frame.left, top: low.y + top - frame.top, bottom: low.y + bottom - frame.top });
  }
  const view = { left: low.x + 4, right: low.x + size.x - 4, top: low.y + 4, bottom: low.y + size.y - 30 };
  for (const each of values) {
    each.made.hidden = false;
    const spot = map.latLngToLayerPoint(each.at);
    const { offsetWidth: width, offsetHeight: height } = each.made;
    const box = freeBox(spot, width, height, taken, view);
    each.made.hidden = !box;
    if (!box) continue;
    taken.push(box);
    each.made.style.transform = `translate(${Math.round(box.left)}px, ${Math.round(box.top)}px)`;
  }
}

/** The place of the skip, which nothing is to lie on. */
function around(map, skipAt) {
  if (!skipAt) return [];
  const at = map.latLngToLayerPoint(skipAt);
  return [boxAt(at.x, at.y, 60, 60)];
}

function freeBox(spot, width, height, taken, view) {
  for (const away of AWAY_PX) {
    for (const [x, y] of WAYS) {
      const box = boxAt(spot.x + x * (away + width / 2), spot.y + y * (away + height / 2), width + 4, height + 4);
      const within = box.left > view.left && box.right < view.right && box.top > view.top && box.bottom < view.bottom;
      if (within && !taken.some((other) => meet(box, other))) return box;
    }
  }
  return null;
}

function boxAt(x, y, width, height) {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

function meet(one, two) {
  return one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom;
}
