/** Monitoring and data. */
import { assigned, token } from "../rule.ts";
import { AN, BASE64, HEX, LOWER, URL64, UUID } from "./shapes.ts";

export const MONITORING = [
  token("grafana-legacy", ["eyJrIjoi"], `${BASE64}{70,400}`),
  token("grafana-cloud", ["glc_"], `${BASE64}{32,400}`),
  token("grafana-service-account", ["glsa_"], `${AN}{32}_[a-fA-F0-9]{8}`),
  token("new-relic-user", ["NRAK-"], "[A-Z0-9]{27}", { anyCase: true }),
  token("new-relic-browser", ["NRJS-"], `${HEX}{19}`),
  token("new-relic-insert", ["NRII-"], "[a-zA-Z0-9-]{32}"),
  token("sentry-organization", ["sntrys_eyJ"], "[a-zA-Z0-9+/=_-]{60,600}"),
  token("sentry-user", ["sntryu_"], `${HEX}{64}`),
  assigned("sentry", ["sentry"], `${HEX}{64}`),
  assigned("datadog", ["datadog", "dd_api", "dd_app"], `(?:${LOWER}{40}|${HEX}{32})`),
  assigned("sumo", ["sumo"], `(?:su[a-z0-9]{12}|${LOWER}{64})`),
  assigned("logz", ["logz"], UUID),
  assigned("confluent", ["confluent"], `(?:${LOWER}{16}|[a-z0-9+/]{64})`),
  assigned("looker", ["looker"], `(?:${LOWER}{20}|${LOWER}{24})`),
  token("honeycomb", ["hcaik_", "hcaic_"], `${AN}{58}`),
  token("posthog", ["phx_"], `${URL64}{43}`),
  token("dynatrace", ["dt0c01."], `${AN}{24}\\.${AN}{64}`),
  token("rootly", ["rootly_"], `${HEX}{64}`),
  token("maxmind", ["_mmk"], "", { before: ["[a-zA-Z0-9_]", 36, 36] }),
  assigned("algolia", ["algolia"], `${LOWER}{32}`),
  assigned("airtable", ["airtable"], `${LOWER}{17}`),
  token("airtable-personal", ["pat"], `${AN}{14}\\.${HEX}{64}`),
  token("mapbox", ["pk.", "sk."], `${AN}{60}\\.${URL64}{22}`),
  assigned("etherscan", ["etherscan"], `${LOWER}{34}`),
  assigned("moralis", ["moralis"], `${AN}{64}`),
  token("alchemy", ["alcht_"], `${AN}{30}`),
];
