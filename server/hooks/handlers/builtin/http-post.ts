/** `http_post`: posts a fixed body to a public address. The response is ignored. */
import { timeLimit } from "../../contract/time-limit.ts";
import type { Builtin } from "./kind.ts";
import { postJson } from "./post.ts";
import { isPublicAddress } from "./public-address.ts";

const WITHIN_MS = 30_000;

/** The builtin for addresses that `allows` accepts. It uses no proxy, because the address behind a proxy cannot be checked. */
export function httpPostTo(allows: (address: string) => boolean): Builtin {
  return {
    name: "http_post",
    async run({ args: [target, body = ""], signal, log }) {
      if (!target) return null;
      const url = httpUrl(target);
      try {
        const status = await postJson({
          url,
          body,
          allows,
          signal: AbortSignal.any([signal, timeLimit(WITHIN_MS)]),
        });
        if (status >= 400) log?.(`${shown(url)} answered ${status}`);
      } catch (error) {
        log?.(`${shown(url)}: ${error instanceof Error ? error.message : String(error)}`);
      }
      return null;
    },
  };
}

export const httpPost = httpPostTo(isPublicAddress);

function httpUrl(text: string): URL {
  // The URL parser accepts texts that are not a URL to docker-agent: surrounding blanks, a missing host.
  const url = /^https?:\/\/[^/?#\\\s]/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new Error("http_post: the first argument must be an http or https URL with a host");
  return url;
}

/** The URL for the log, without its password. */
function shown(url: URL): string {
  const copy = new URL(url);
  if (copy.password !== "") copy.password = "xxxxx";
  return copy.href;
}
