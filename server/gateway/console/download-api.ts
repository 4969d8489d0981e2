/** Files that the console streams to people: read part by part with procedures, so that access has one rule. */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { callTRPCProcedure } from "@trpc/server";
import { placed, type ReadClientInfo } from "../../access/client-info.ts";
import { parseJson } from "../../access/json-text.ts";
import { consoleRouter } from "../../composition/router.ts";
import {
  type CallsDownload,
  type CallsExportPart,
  callsDownload,
  callsExportPart,
  EXPORT_CALLS_MAX,
} from "../../decisions/http.ts";
import { AppError } from "../../errors/app-error.ts";
import { type Identity, identityOf } from "../../people/http.ts";
import { inInstallation } from "../../platform/scope.ts";
import type { App } from "../../trpc/context.ts";
import type { PathHandler, Shedding } from "../agent-api.ts";
import type { CredentialThrottle } from "../credential-throttle.ts";
import { sendFailure } from "../failure.ts";
import type { OnProven } from "../trpc.ts";

export interface DownloadApiOptions {
  readonly app: App;
  readonly whenceOf: ReadClientInfo;
  readonly credentialThrottle: CredentialThrottle;
  readonly shedding: Shedding;
  /** Aborted when the shutdown begins: files end unfinished, and the browser says so. */
  readonly draining: AbortSignal;
  readonly onProven: OnProven;
  readonly onFailure: (code: string) => void;
}

const CALLS = "/api/download/calls.csv";
/** Each reads for as long as its file takes; pages need the other connections. */
const UNDER_WAY_MAX = 4;
const INPUT_CHARS_MAX = 64 * 1024;

export function downloadApi(options: DownloadApiOptions): PathHandler {
  const { app, credentialThrottle, shedding, draining, onProven, onFailure } = options;
  let underWay = 0;

  async function handle(request: IncomingMessage, response: ServerResponse, path: string, search: string) {
    if (path !== CALLS) throw new AppError("not_found");
    if (request.method !== "GET") throw new AppError("method_not_allowed");
    request.resume();
    const find = () => inInstallation(() => identityOf(request.headers, app));
    const { authorization } = request.headers;
    const identity = await (authorization === undefined
      ? find()
      : credentialThrottle.lookUp(request, authorization, find));
    if (identity.setCookie !== null) response.setHeader("set-cookie", identity.setCookie);
    if (identity.actor === null) throw new AppError("not_signed_in");
    onProven(request, response);
    await shedding.turn("console", closedSignal(response));
    shedding.check("console");
    if (underWay >= UNDER_WAY_MAX) throw new AppError("busy", undefined, { says: BUSY, retryAfterSeconds: 5 });
    underWay += 1;
    try {
      await sendCalls(options, { request, response, identity }, inputOf(search), draining);
    } finally {
      underWay -= 1;
    }
  }

  return (request, response, path, search) => {
    handle(request, response, path, search).catch((thrown: unknown) => {
      // A file that has begun cannot become an error: it ends unfinished, and the browser says so.
      if (response.headersSent) response.destroy();
      const allow = thrown instanceof AppError && thrown.code === "method_not_allowed" ? { allow: "GET" } : {};
      onFailure(sendFailure(response, thrown, app.log, allow).code);
    });
  };
}

const BUSY = "Several files are being written already. Try again in a few seconds.";

/** Errors: `invalid_input`. */
function inputOf(search: string): CallsDownload {
  const text = new URLSearchParams(search).get("input") ?? "";
  const parsed = callsDownload.safeParse(text.length > INPUT_CHARS_MAX ? null : parseJson(text));
  if (!parsed.success) throw new AppError("invalid_input");
  return parsed.data;
}

interface Download {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly identity: Identity;
}

async function sendCalls(
  options: DownloadApiOptions,
  download: Download,
  { range, filters }: CallsDownload,
  draining: AbortSignal,
): Promise<void> {
  const { response } = download;
  const input = { range: { from: new Date(range.from), to: new Date(range.to) }, filters };
  let cursor: CallsExportPart["next"] = null;
  let rows = 0;
  const gone = closedSignal(response);
  do {
    if (draining.aborted) throw new AppError("draining");
    await options.app.pressure.exportTurn(gone);
    const part = await partOf(options, download, { ...input, cursor });
    if (!response.headersSent) response.writeHead(200, HEADERS);
    if (response.destroyed) return;
    if (!response.write(part.text)) await once(response, "drain", { signal: gone });
    rows += part.rows;
    cursor = part.next;
  } while (cursor !== null && rows < EXPORT_CALLS_MAX);
  if (cursor !== null) response.write(`${CUT}\r\n`);
  response.end();
}

const HEADERS = {
  "content-type": "text/csv; charset=utf-8",
  "content-disposition": 'attachment; filename="calls.csv"',
  "cache-control": "no-store",
};
/** The last line of a file that does not hold all calls. */
const CUT = `The file stops at ${EXPORT_CALLS_MAX} calls. Choose a shorter range or a narrower filter.`;

/** Aborted when the client is gone. */
function closedSignal(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  response.once("close", () => closed.abort());
  if (response.destroyed) closed.abort();
  return closed.signal;
}

/** One part, with the permission and the scope of the procedure. */
async function partOf(
  { app, whenceOf }: DownloadApiOptions,
  download: Download,
  input: object,
): Promise<CallsExportPart> {
  const { request, identity } = download;
  const from = whenceOf(request);
  const ctx = { db: app.db, actor: placed(identity.actor, from), from, app, session: identity.session };
  const part = await callTRPCProcedure({
    ...{ router: consoleRouter, path: "decisions.exportCalls", type: "query" },
    ctx: { ...ctx, confirmedAt: identity.confirmedAt, setHeader: () => undefined },
    getRawInput: () => Promise.resolve(input),
    signal: undefined,
    batchIndex: 0,
  }).catch((error: unknown) => {
    throw error instanceof Error && error.cause instanceof AppError ? error.cause : error;
  });
  return callsExportPart.parse(part);
}
