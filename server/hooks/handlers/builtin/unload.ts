/**
 * `unload`: asks the local model engine to free the models of the previous agent. The agent's own configuration names the engine,
 * usually on loopback, so this runs only on the agent's machine.
 */
import { timeLimit } from "../../contract/time-limit.ts";
import type { Builtin } from "./kind.ts";
import { postJson } from "./post.ts";

const WITHIN_MS = 10_000;
const PROVIDER = "dmr";

export const unload: Builtin = {
  name: "unload",
  async run({ input: { from_agent, to_agent, from_agent_models }, signal, log }) {
    if (!from_agent || from_agent === to_agent) return null;
    for (const { provider, model, base_url, unload_api } of from_agent_models ?? []) {
      if (provider !== PROVIDER) continue;
      try {
        const url = unloadUrl(base_url ?? "", unload_api ?? "");
        if (!url) continue;
        const body = JSON.stringify({ model: model ?? "" });
        const status = await postJson({ url, body, signal: AbortSignal.any([signal, timeLimit(WITHIN_MS)]) });
        if (status < 200 || status > 299) log?.(`${model} is not unloaded: the engine answered ${status}`);
      } catch (error) {
        log?.(`${model} is not unloaded: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return null;
  },
};

/** The URL to call; undefined if both texts are empty. Errors: a base without a host. */
export function unloadUrl(base: string, api: string): URL | undefined {
  if (/^https?:\/\//.test(api)) return new URL(api);
  if (base === "") {
    if (api === "") return undefined;
    throw new Error("unload_api is relative and there is no base_url");
  }
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (!url?.hostname) throw new Error("base_url has no scheme or no host");
  if (api !== "") url.pathname = api.startsWith("/") ? api : `/${api}`;
  else url.pathname = `${url.pathname.replace(/\/$/, "").replace(/\/v1$/, "")}/_unload`;
  return url;
}
