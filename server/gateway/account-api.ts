/** The account routes: small bodies, our own pages alone, and slow for those who guess. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ReadClientInfo } from "../access/client-info.ts";
import { parseJson, textOf } from "../access/json-text.ts";
import { AppError } from "../errors/app-error.ts";
import { answerAccount } from "../people/accounts/http.ts";
import { sessionHolder } from "../people/http.ts";
import { inInstallation } from "../platform/scope.ts";
import type { App } from "../trpc/context.ts";
import type { PathHandler } from "./agent-api.ts";
import type { BodyBudgets, BodyLease } from "./body.ts";
import { contentTypeOf } from "./content-type.ts";
import type { CredentialThrottle } from "./credential-throttle.ts";
import { sendFailure } from "./failure.ts";
import { refuseForeignOrigin } from "./origin.ts";

export interface AccountApiOptions {
  readonly app: App;
  readonly whenceOf: ReadClientInfo;
  readonly bodies: BodyBudgets;
  readonly credentialThrottle: CredentialThrottle;
  readonly onFailure: (code: string) => void;
}

const PREFIX = "/api/auth";
const DEPTH_MAX = 4;
const BYTES_MAX = 16 * 1024;
/** Each holds a connection of the database for as long as a password takes to check. */
const UNDER_WAY_MAX = 4;
const WAITING_MAX = 64;

export function accountApi({ app, whenceOf, bodies, credentialThrottle, onFailure }: AccountApiOptions): PathHandler {
  const turns = createTurns();

  async function handle(request: IncomingMessage, response: ServerResponse, path: string, search: string) {
    const method = request.method ?? "GET";
    if (method === "POST") refuseForeignOrigin(request, app.url);
    credentialThrottle.checkBodies(request);
    const lease = await leaseOf(request);
    try {
      const body = method === "POST" ? await bodyOf(request, lease) : undefined;
      await answer(request, response, { method, path: path.slice(PREFIX.length), search }, body);
    } finally {
      lease.release();
    }
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    target: { readonly method: string; readonly path: string; readonly search: string },
    body: { readonly text: string; readonly value: unknown } | undefined,
  ): Promise<void> {
    const asked = { ...target, headers: request.headers, from: whenceOf(request) };
    const answer = await turns(() =>
      inInstallation(() => answerAccount(app.accounts, app.url, body ? { ...asked, body } : asked)),
    );
    if (response.destroyed) return;
    response.setHeader("cache-control", "no-store");
    if (answer.cookies.length > 0) response.setHeader("set-cookie", [...answer.cookies]);
    if (answer.location !== null) response.setHeader("location", answer.location);
    if (answer.retryAfter !== null) response.setHeader("retry-after", answer.retryAfter);
    if (answer.body !== null) response.setHeader("content-type", "application/json");
    response.writeHead(answer.status).end(answer.body ?? undefined);
  }

  /** Signed-in people have a separate budget, so that sign-in attempts cannot use it up. */
  async function leaseOf(request: IncomingMessage): Promise<BodyLease> {
    const personId = await inInstallation(() => sessionHolder(request.headers, app));
    return personId === null
      ? bodies.lease("stranger", credentialThrottle.clientOf(request))
      : bodies.lease("person", personId);
  }

  async function bodyOf(request: IncomingMessage, lease: BodyLease) {
    contentTypeOf(request.headers, ["application/json"]);
    const bytes = await lease.read(request, BYTES_MAX).catch((error: unknown) => {
      credentialThrottle.bodyFailed(request, error);
      throw error;
    });
    const text = textOf(bytes);
    return { text, value: parseJson(text, DEPTH_MAX) };
  }

  return (request, response, path, search) => {
    handle(request, response, path, search).catch((thrown: unknown) => {
      onFailure(sendFailure(response, thrown, app.log).code);
    });
  };
}

/** Runs a limited number of tasks at once and queues a limited number; further tasks fail with `overloaded`. */
function createTurns() {
  let underWay = 0;
  const line: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (underWay >= UNDER_WAY_MAX) {
      if (line.length >= WAITING_MAX) throw new AppError("overloaded", "accounts", { retryAfterSeconds: 2 });
      await new Promise<void>((resolve) => line.push(resolve));
    } else underWay += 1;
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else underWay -= 1;
    }
  };
}
