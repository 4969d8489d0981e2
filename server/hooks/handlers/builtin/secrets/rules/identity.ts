/** Identity, infrastructure and other services whose tokens can be told by how they begin. */
import { assigned, token } from "../rule.ts";
import { AN, HEX, LOWER, URL64, UUID } from "./shapes.ts";

const CAPS = "[A-Z0-9]";

export const IDENTITY = [
  token("vault", ["hvs.", "hvb.", "hvr."], `${URL64}{90,200}`),
  token("tailscale", ["tskey-auth-", "tskey-api-", "tskey-client-"], `${AN}{6,40}-${AN}{10,64}`),
  token("doppler", ["dp.pt.", "dp.ct.", "dp.scim.", "dp.audit.", "dp.sa."], `${AN}{43}`),
  token("doppler-service", ["dp.st."], `(?:[a-z0-9_-]{2,35}\\.)?${AN}{40,44}`),
  token("1password-service-account", ["ops_eyJ"], "[a-zA-Z0-9+/=_-]{250,1000}"),
  token(
    "1password-secret-key",
    ["A3-"],
    `${CAPS}{6}-(?:${CAPS}{11}|${CAPS}{6}-${CAPS}{5})-${CAPS}{5}-${CAPS}{5}-${CAPS}{5}`,
  ),
  assigned("okta", ["okta"], "00[a-z0-9_=-]{40}"),
  token("launchdarkly-sdk", ["sdk-"], UUID),
  assigned("launchdarkly", ["launchdarkly"], "[a-z0-9=_-]{40}"),
  assigned("ngrok", ["ngrok"], `${AN}{26,30}_${AN}{18,24}`),
  token("ngrok-command", ["authtoken"], `\\s{1,4}(${AN}{26,30}_${AN}{18,24})`),
  assigned("meraki", ["meraki"], `${HEX}{40}`),
  token("defined-networking", ["dnkey-"], "[a-z0-9=_-]{26}-[a-z0-9=_-]{52}"),
  token(
    "authress",
    ["sc_", "ext_", "scauth_", "authress_"],
    `${LOWER}{5,30}\\.${LOWER}{4,6}\\.acc[_-][a-z0-9-]{10,32}\\.[a-zA-Z0-9+/_=-]{30,120}`,
  ),
  token("settlemint", ["sm_pat_", "sm_aat_", "sm_sat_"], `${AN}{16}`),
  token("notion", ["ntn_"], `${AN}{46}`),
  token("linear", ["lin_api_"], `${AN}{40}`),
  token("asana", ["1/"], "[0-9]{8,20}:[a-f0-9]{32}"),
  token("figma", ["figd_"], `${URL64}{22,100}`),
  token("contentful", ["CFPAT-"], `${URL64}{43}`),
  token("shopify", ["shpss_", "shpat_", "shpca_", "shppa_"], "[a-fA-F0-9]{32}"),
  token("postman", ["PMAK-"], "[a-fA-F0-9]{24}-[a-fA-F0-9]{34}"),
  token("typeform", ["tfp_"], "[a-zA-Z0-9_.=-]{59}"),
  token("hubspot", ["pat-na1-", "pat-eu1-"], UUID),
  token("readme", ["rdme_"], `${LOWER}{70}`),
  token("adafruit", ["aio_"], `${AN}{28}`),
  token("ubidots", ["BBFF-"], `${AN}{30}`),
  token("intra42", ["s-s4t2ud-", "s-s4t2af-", "u-s4t2ud-", "u-s4t2af-"], `${HEX}{64}`),
  token("frame-io", ["fio-u-"], `${URL64}{64}`),
  token("linkedin-client-secret", ["WPL_AP1."], "[a-zA-Z0-9]{16}\\.[a-zA-Z0-9+/=]{6,12}"),
];
