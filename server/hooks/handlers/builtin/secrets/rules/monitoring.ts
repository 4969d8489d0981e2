/** Monitoring and data. */
import { assignedValueRule, prefixedTokenRule } from "../rule.ts";
import { AN, BASE64, HEX, LOWER, URL64, UUID } from "./shapes.ts";

export const MONITORING = [
  prefixedTokenRule("grafana-legacy", ["eyJrIjoi"], `${BASE64}{70,400}`),
  prefixedTokenRule("grafana-cloud", ["glc_"], `${BASE64}{32,400}`),
  prefixedTokenRule("grafana-service-account", ["glsa_"], `${AN}{32}_[a-fA-F0-9]{8}`),
  prefixedTokenRule("new-relic-user", ["NRAK-"], "[A-Z0-9]{27}", { anyCase: true }),
  prefixedTokenRule("new-relic-browser", ["NRJS-"], `${HEX}{19}`),
  prefixedTokenRule("new-relic-insert", ["NRII-"], "[a-zA-Z0-9-]{32}"),
  prefixedTokenRule("sentry-organization", ["sntrys_eyJ"], "[a-zA-Z0-9+/=_-]{60,600}"),
  prefixedTokenRule("sentry-user", ["sntryu_"], `${HEX}{64}`),
  assignedValueRule("sentry", ["sentry"], `${HEX}{64}`),
  assignedValueRule("datadog", ["datadog", "dd_api", "dd_app"], `(?:${LOWER}{40}|${HEX}{32})`),
  assignedValueRule("sumo", ["sumo"], `(?:su[a-z0-9]{12}|${LOWER}{64})`),
  assignedValueRule("logz", ["logz"], UUID),
  assignedValueRule("confluent", ["confluent"], `(?:${LOWER}{16}|[a-z0-9+/]{64})`),
  assignedValueRule("looker", ["looker"], `(?:${LOWER}{20}|${LOWER}{24})`),
  prefixedTokenRule("honeycomb", ["hcaik_", "hcaic_"], `${AN}{58}`),
  prefixedTokenRule("posthog", ["phx_"], `${URL64}{43}`),
  prefixedTokenRule("dynatrace", ["dt0c01."], `${AN}{24}\\.${AN}{64}`),
  prefixedTokenRule("rootly", ["rootly_"], `${HEX}{64}`),
  prefixedTokenRule("maxmind", ["_mmk"], "", { before: ["[a-zA-Z0-9_]", 36, 36] }),
  assignedValueRule("algolia", ["algolia"], `${LOWER}{32}`),
  assignedValueRule("airtable", ["airtable"], `${LOWER}{17}`),
  prefixedTokenRule("airtable-personal", ["pat"], `${AN}{14}\\.${HEX}{64}`),
  prefixedTokenRule("mapbox", ["pk.", "sk."], `${AN}{60}\\.${URL64}{22}`),
  assignedValueRule("etherscan", ["etherscan"], `${LOWER}{34}`),
  assignedValueRule("moralis", ["moralis"], `${AN}{64}`),
  prefixedTokenRule("alchemy", ["alcht_"], `${AN}{30}`),
];
