// What the page adds to Leaflet: popups as text, labels that do not lie over each other, words in Portuguese.
"use strict";
var geocheck = (function () {
  var labels = [], streets = [], skip = null;

  // Text from data only ever becomes text.
  function element(tag, text, className) {
    var made = document.createElement(tag);
    if (text) { made.textContent = text; }
    if (className) { made.className = className; }
    return made;
  }

  function card(title, facts) {
    var box = element("div", "", "card"), list = element("dl");
    box.appendChild(element("strong", title));
    facts.forEach(function (pair) {
      list.appendChild(element("dt", pair[0]));
      list.appendChild(element("dd", pair[1]));
    });
    if (facts.length) { box.appendChild(list); }
    return box;
  }

  function popup(feature, layer) {
    var told = feature.properties;
    layer.bindPopup(function () { return card(told.title, told.facts); }, { maxWidth: 280 });
  }

  function boxAt(x, y, width, height) {
    return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
  }

  function meet(one, two) {
    return one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom;
  }

  function free(box, taken) {
    return !taken.some(function (each) { return meet(box, each); });
  }

  function pixels(map, layer) {
    return layer.getLatLngs().flat(Infinity).map(function (each) { return map.latLngToLayerPoint(each); });
  }

  // Points along a line, in pixels of the map, the middle first; of a point, itself.
  function anchors(map, layer) {
    if (layer.getLatLng) { return [map.latLngToLayerPoint(layer.getLatLng())]; }
    var points = pixels(map, layer);
    var lengths = points.slice(1).map(function (each, i) { return each.distanceTo(points[i]); });
    var whole = lengths.reduce(function (sum, each) { return sum + each; }, 0);
    return [0.5, 0.3, 0.7].map(function (share) {
      var left = whole * share, i = 0;
      while (i < lengths.length - 1 && left > lengths[i]) { left -= lengths[i]; i += 1; }
      var t = lengths[i] ? left / lengths[i] : 0, a = points[i], b = points[i + 1] || a;
      return L.point(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t);
    });
  }

  var WAYS = [[0, -1], [0, 1], [1, -1], [-1, -1], [1, 1], [-1, 1], [1, 0], [-1, 0]];
  var AWAY = [12, 26, 44, 66, 92, 124, 160, 204];

  // A place near one of the anchors where the label lies over nothing and within the view.
  function placeFor(spots, width, height, taken, view) {
    for (var d = 0; d < AWAY.length; d += 1) {
      for (var s = 0; s < spots.length; s += 1) {
        for (var w = 0; w < WAYS.length; w += 1) {
          var x = spots[s].x + WAYS[w][0] * (AWAY[d] + width / 2);
          x = Math.min(Math.max(x, view.left + width / 2 + 4), view.right - width / 2 - 4);
          var y = spots[s].y + WAYS[w][1] * (AWAY[d] + height / 2);
          var box = boxAt(x, y, width + 6, height + 6);
          var within = box.left > view.left && box.right < view.right && box.top > view.top &&
            box.bottom < view.bottom;
          if (within && free(box, taken)) { return { x: x, y: y, spot: spots[s], box: box }; }
        }
      }
    }
    return null;
  }

  function viewOf(map) {
    var low = map.containerPointToLayerPoint([0, 0]), size = map.getSize();
    return { left: low.x + 4, top: low.y + 4, right: low.x + size.x - 4, bottom: low.y + size.y - 44 };
  }

  // Where controls, or badges of features, lie on the map.
  function boxesOf(map, selector) {
    var frame = map.getContainer().getBoundingClientRect(), found = [];
    map.getContainer().parentNode.querySelectorAll(selector).forEach(function (each) {
      var box = each.getBoundingClientRect();
      if (box.right < frame.left || box.left > frame.right || box.bottom < frame.top || box.top > frame.bottom) { return; }
      var low = map.containerPointToLayerPoint([box.left - frame.left, box.top - frame.top]);
      found.push({ left: low.x - 2, top: low.y - 2, right: low.x + box.width + 2, bottom: low.y + box.height + 2 });
    });
    return found;
  }

  function around(map, layer) {
    if (layer.getLatLng) {
      var at = map.latLngToLayerPoint(layer.getLatLng());
      return boxAt(at.x, at.y, 24, 24);
    }
    var bounds = layer.getBounds();
    var a = map.latLngToLayerPoint(bounds.getNorthWest()), b = map.latLngToLayerPoint(bounds.getSouthEast());
    return { left: a.x - 3, top: a.y - 3, right: b.x + 3, bottom: b.y + 3 };
  }

  function leader(svg, from, to, outcome) {
    var line = document.createElementNS("http://www.w3.org/2000/svg", "line");
    [["x1", from.x], ["y1", from.y], ["x2", to.x], ["y2", to.y], ["class", outcome]].forEach(function (pair) {
      line.setAttribute(pair[0], pair[1]);
    });
    svg.appendChild(line);
  }

  function inView(spot, view) {
    return spot.x > view.left && spot.x < view.right && spot.y > view.top && spot.y < view.bottom;
  }

  // Small boxes along the measured lines that are shown, so that no label lies on one.
  function along(map, view) {
    var found = [];
    labels.forEach(function (each) {
      if (!map.hasLayer(each.layer)) { return; }
      if (each.layer.getLatLng) { found.push(around(map, each.layer)); return; }
      pixels(map, each.layer).forEach(function (point, i, points) {
        var next = points[i + 1] || point, steps = Math.min(Math.ceil(point.distanceTo(next) / 12), 400) || 1;
        for (var step = 0; step < steps; step += 1) {
          var x = point.x + (next.x - point.x) * step / steps, y = point.y + (next.y - point.y) * step / steps;
          if (inView({ x: x, y: y }, view)) { found.push(boxAt(x, y, 10, 10)); }
        }
      });
    });
    return found;
  }

  // Labels would rather not cover badges, but must not cover `taken`.
  function placeLabels(map, svg, taken, badges, view) {
    var hidden = 0;
    taken.push.apply(taken, along(map, view));
    labels.forEach(function (each) {
      var spots = map.hasLayer(each.layer) ? anchors(map, each.layer) : [];
      spots = spots.filter(function (spot) { return inView(spot, view); });
      each.made.hidden = !spots.length;
      if (!spots.length) { return; }
      var width = each.made.offsetWidth, height = each.made.offsetHeight;
      var place = placeFor(spots, width, height, taken.concat(badges), view) ||
        placeFor(spots, width, height, taken, view);
      each.made.hidden = !place;
      if (!place) { hidden += 1; return; }
      taken.push(place.box);
      L.DomUtil.setPosition(each.made, L.point(place.box.left + 3, place.box.top + 3).round());
      leader(svg, place, place.spot, each.outcome);
    });
    return hidden;
  }

  function placeStreets(map, taken, view) {
    streets.forEach(function (each) {
      var at = map.latLngToLayerPoint(each.layer.getLatLng()), turn = each.angle * Math.PI / 180;
      each.made.hidden = false;
      var width = each.made.offsetWidth, height = each.made.offsetHeight;
      var cos = Math.abs(Math.cos(turn)), sin = Math.abs(Math.sin(turn));
      var box = boxAt(at.x, at.y, width * cos + height * sin, width * sin + height * cos);
      var shown = map.hasLayer(each.layer) && inView(at, view) && free(box, taken);
      each.made.hidden = !shown;
      if (!shown) { return; }
      taken.push(box);
      each.made.style.left = at.x - width / 2 + "px";
      each.made.style.top = at.y - height / 2 + "px";
    });
  }

  function place(map, svg, note) {
    while (svg.firstChild) { svg.removeChild(svg.firstChild); }
    var view = viewOf(map), taken = boxesOf(map, ".leaflet-control, .corner");
    var badges = boxesOf(map, ".badge, .cross");
    if (skip) { taken.push(around(map, skip)); }
    var hidden = placeLabels(map, svg, taken, badges, view);
    placeStreets(map, taken.concat(badges), view);
    note.hidden = !hidden;
    note.textContent = hidden + (hidden === 1 ? " rótulo não coube" : " rótulos não couberam") + ": aproxime o mapa";
  }

  function inPortuguese(map) {
    L.control.zoom({ zoomInTitle: "Aproximar", zoomOutTitle: "Afastar" }).addTo(map);
    L.control.scale({ imperial: false, maxWidth: 140 }).addTo(map);
    map.on("popupopen", function (event) {
      var close = event.popup.getElement().querySelector(".leaflet-popup-close-button");
      if (close) { close.setAttribute("aria-label", "Fechar"); }
    });
    var toggle = map.getContainer().querySelector(".leaflet-control-layers-toggle");
    if (toggle) { toggle.title = "Camadas"; toggle.setAttribute("aria-label", "Camadas"); }
  }

  // The deepest zoom at which what was measured fits, however large the screen is, and the skip is seen.
  function openingZoom(map, away) {
    var size = map.getSize(), half = Math.max(Math.min(size.x, size.y) / 2 - 70, 60);
    var metres = 40075016.7 * Math.cos(map.getCenter().lat * Math.PI / 180) / 256;
    var zoom = Math.log(metres * half / away) / Math.LN2;
    return Math.min(Math.max(Math.floor(zoom * 4) / 4, 20), 22);
  }

  function start(map, attribution, away) {
    map.setView(map.getCenter(), openingZoom(map, away), { animate: false });
    document.getElementById("no-map").hidden = true; // it stays where scripts are off, or fail
    L.control.attribution({ prefix: "Leaflet" }).addAttribution(attribution).addTo(map);
    inPortuguese(map);
    var pane = map.getPane("labels");
    var svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    pane.appendChild(svg);
    labels.concat(streets).forEach(function (each) { pane.appendChild(each.made); });
    var note = document.getElementById("hidden-labels");
    function again() { place(map, svg, note); }
    map.on("zoomstart", function () { pane.style.visibility = "hidden"; });
    map.on("zoomend", function () { pane.style.visibility = ""; });
    map.on("zoomend moveend resize overlayadd overlayremove", again);
    again();
  }

  return {
    feature: popup,
    frame: function () {},
    skip: function (feature, layer) { popup(feature, layer); skip = layer; },
    measure: function (feature, layer) {
      popup(feature, layer);
      var made = element("div", "", "label " + feature.properties.outcome);
      made.appendChild(element("b", feature.properties.label[0]));
      made.appendChild(element("span", feature.properties.label[1]));
      L.DomEvent.disableClickPropagation(made);
      made.addEventListener("click", function () { layer.openPopup(); });
      labels.push({ made: made, layer: layer, outcome: feature.properties.outcome });
    },
    street: function (feature, layer) {
      var made = element("div", feature.properties.name, "street");
      made.style.transform = "rotate(" + feature.properties.angle_deg + "deg)";
      streets.push({ made: made, layer: layer, angle: feature.properties.angle_deg });
    },
    start: start
  };
})();
