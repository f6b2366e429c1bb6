// Where the device is; told kindly where it cannot be known.

import { byId } from "./dom.js";
import { number } from "./words.js";

const WHY = {
  1: "A posição não foi permitida. Permita-a nas configurações do navegador, busque o endereço ou toque no mapa.",
  2: "O aparelho não sabe onde está agora. Busque o endereço ou toque no mapa.",
  3: "O aparelho demora a achar a posição. Tente a céu aberto, busque o endereço ou toque no mapa.",
};
const INSECURE =
  "O navegador só dá a posição a páginas com HTTPS, e esta foi aberta sem. Peça o endereço seguro a quem mantém o serviço; enquanto isso, busque o endereço ou toque no mapa.";

/** `found(spot)` hears where the device is, `say(text)` what is to be told. */
export function createLocate({ found, say }) {
  const press = byId("locate");
  press.addEventListener("click", () => {
    if (!window.isSecureContext || !navigator.geolocation) {
      say(window.isSecureContext ? WHY[2] : INSECURE);
      return;
    }
    press.setAttribute("aria-busy", "true");
    const over = () => press.removeAttribute("aria-busy");
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        over();
        say(`Posição do aparelho, ± ${number(coords.accuracy, 0)} m: confira no mapa e arraste a caçamba para o lugar certo.`);
        found({ lon: coords.longitude, lat: coords.latitude });
      },
      (error) => {
        over();
        say(WHY[error.code] ?? WHY[2]);
      },
      { enableHighAccuracy: true, timeout: 15_000, maximumAge: 10_000 },
    );
  });
}
