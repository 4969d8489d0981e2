/** Identity, infrastructure and other services whose tokens have a known prefix. */
import { assignedValueRule, prefixedTokenRule } from "../rule.ts";
import { AN, HEX, LOWER, URL64, UUID } from "./shapes.ts";

const CAPS = "[A-Z0-9]";

export const IDENTITY = [
  prefixedTokenRule("vault", ["hvs.", "hvb.", "hvr."], `${URL64}{90,200}`),
  prefixedTokenRule("tailscale", ["tskey-auth-", "tskey-api-", "tskey-client-"], `${AN}{6,40}-${AN}{10,64}`),
  prefixedTokenRule("doppler", ["dp.pt.", "dp.ct.", "dp.scim.", "dp.audit.", "dp.sa."], `${AN}{43}`),
  prefixedTokenRule("doppler-service", ["dp.st."], `(?:[a-z0-9_-]{2,35}\\.)?${AN}{40,44}`),
  prefixedTokenRule("1password-service-account", ["ops_eyJ"], "[a-zA-Z0-9+/=_-]{250,1000}"),
  prefixedTokenRule(
    "1password-secret-key",
    ["A3-"],
    `${CAPS}{6}-(?:${CAPS}{11}|${CAPS}{6}-${CAPS}{5})-${CAPS}{5}-${CAPS}{5}-${CAPS}{5}`,
  ),
  assignedValueRule("okta", ["okta"], "00[a-z0-9_=-]{40}"),
  prefixedTokenRule("launchdarkly-sdk", ["sdk-"], UUID),
  assignedValueRule("launchdarkly", ["launchdarkly"], "[a-z0-9=_-]{40}"),
  assignedValueRule("ngrok", ["ngrok"], `${AN}{26,30}_${AN}{18,24}`),
  prefixedTokenRule("ngrok-command", ["authtoken"], `\\s{1,4}(${AN}{26,30}_${AN}{18,24})`),
  assignedValueRule("meraki", ["meraki"], `${HEX}{40}`),
  prefixedTokenRule("defined-networking", ["dnkey-"], "[a-z0-9=_-]{26}-[a-z0-9=_-]{52}"),
  prefixedTokenRule(
    "authress",
    ["sc_", "ext_", "scauth_", "authress_"],
    `${LOWER}{5,30}\\.${LOWER}{4,6}\\.acc[_-][a-z0-9-]{10,32}\\.[a-zA-Z0-9+/_=-]{30,120}`,
  ),
  prefixedTokenRule("settlemint", ["sm_pat_", "sm_aat_", "sm_sat_"], `${AN}{16}`),
  prefixedTokenRule("notion", ["ntn_"], `${AN}{46}`),
  prefixedTokenRule("linear", ["lin_api_"], `${AN}{40}`),
  prefixedTokenRule("asana", ["1/"], "[0-9]{8,20}:[a-f0-9]{32}"),
  prefixedTokenRule("figma", ["figd_"], `${URL64}{22,100}`),
  prefixedTokenRule("contentful", ["CFPAT-"], `${URL64}{43}`),
  prefixedTokenRule("shopify", ["shpss_", "shpat_", "shpca_", "shppa_"], "[a-fA-F0-9]{32}"),
  prefixedTokenRule("postman", ["PMAK-"], "[a-fA-F0-9]{24}-[a-fA-F0-9]{34}"),
  prefixedTokenRule("typeform", ["tfp_"], "[a-zA-Z0-9_.=-]{59}"),
  prefixedTokenRule("hubspot", ["pat-na1-", "pat-eu1-"], UUID),
  prefixedTokenRule("readme", ["rdme_"], `${LOWER}{70}`),
  prefixedTokenRule("adafruit", ["aio_"], `${AN}{28}`),
  prefixedTokenRule("ubidots", ["BBFF-"], `${AN}{30}`),
  prefixedTokenRule("intra42", ["s-s4t2ud-", "s-s4t2af-", "u-s4t2ud-", "u-s4t2af-"], `${HEX}{64}`),
  prefixedTokenRule("frame-io", ["fio-u-"], `${URL64}{64}`),
  prefixedTokenRule("linkedin-client-secret", ["WPL_AP1."], "[a-zA-Z0-9]{16}\\.[a-zA-Z0-9+/=]{6,12}"),
];
