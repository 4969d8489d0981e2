/** Posts one JSON document over HTTP, follows redirects, and discards the response. */
import { lookup as resolveName } from "node:dns/promises";
import { type ClientRequest, type IncomingMessage, request as plain } from "node:http";
import { request as encrypted } from "node:https";
import { isIP, type LookupFunction } from "node:net";

export interface Posting {
  readonly url: URL;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Accepts addresses to connect to; by default, all. Called after name resolution and at every redirect. */
  readonly allows?: (address: string) => boolean;
}

const REDIRECTS_MAX = 10;
const ANSWER_BYTES_MAX = 64 * 1024;

/** The final status, after redirects. Errors: network, refused address, too many redirects, the signal. */
export async function postJson({ url, body, signal, allows }: Posting): Promise<number> {
  let to = url;
  let sent: string | undefined = body;
  for (let redirects = 0; ; redirects++) {
    const { statusCode = 0, headers } = await ask(to, sent, signal, allows);
    const { location } = headers;
    if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return statusCode;
    if (redirects === REDIRECTS_MAX) throw new Error(`more than ${REDIRECTS_MAX} redirects`);
    to = new URL(location, to);
    if (statusCode < 307) sent = undefined; // the body is not posted again elsewhere
  }
}

async function ask(
  url: URL,
  body: string | undefined,
  signal: AbortSignal,
  allows: Posting["allows"],
): Promise<IncomingMessage> {
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new Error(`${url.protocol} is not HTTP`);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (allows && isIP(host) !== 0 && !allows(host)) throw new Error(`${host} is not a public address`);
  const sending: ClientRequest = (url.protocol === "https:" ? encrypted : plain)(url, {
    method: body === undefined ? "GET" : "POST",
    headers:
      body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
    agent: false, // a new connection: a reused one would skip the address check
    signal,
    ...(allows && { lookup: allowedLookup(allows) }),
  });
  return new Promise((resolve, reject) => {
    sending.on("error", reject);
    sending.on("response", (answer) => {
      let bytes = 0;
      const done = () => {
        answer.destroy();
        resolve(answer);
      };
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > ANSWER_BYTES_MAX) done();
      });
      answer.on("end", done);
      answer.on("error", done);
    });
    sending.end(body);
  });
}

/** Name resolution that returns only allowed addresses, so the checked address is the one connected to. */
function allowedLookup(allows: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, {
      all: true,
      family: options.family === "IPv4" ? 4 : options.family === "IPv6" ? 6 : (options.family ?? 0),
    }).then(
      (found) => {
        const allowed = found.filter(({ address }) => allows(address));
        const [first] = allowed;
        if (!first) callback(new Error(`${hostname} has no public address`), "");
        else if (options.all) callback(null, allowed);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ""),
    );
  };
}
