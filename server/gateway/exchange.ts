/** A request as the routes' handlers see it, over node:http. Rarely used parts are created on demand. */
import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AgentActor } from "../access/actor.ts";
import type { AgentAnswer, AgentRequest, OpenRequest } from "../access/agent-api-types.ts";
import type { ReadClientInfo } from "../access/client-info.ts";
import { AppError } from "../errors/app-error.ts";
import type { BodyLease } from "./body.ts";
import { contentTypeOf } from "./content-type.ts";
import type { Found } from "./route-table.ts";

export interface ExchangeWorld {
  readonly draining: AbortSignal;
  readonly ending: AbortSignal;
  readonly whenceOf: ReadClientInfo;
}

export class OpenExchange implements OpenRequest {
  private controller: AbortController | undefined;

  constructor(
    protected readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly found: Found,
    private readonly search: string,
    private readonly world: ExchangeWorld,
    private readonly lease: BodyLease,
  ) {}

  get parameters(): readonly string[] {
    return this.found.parameters;
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.search);
  }

  get address(): string | null {
    return this.world.whenceOf(this.request).ip;
  }

  get draining(): AbortSignal {
    return this.world.draining;
  }

  get ending(): AbortSignal {
    return this.world.ending;
  }

  get signal(): AbortSignal {
    if (!this.controller) {
      const controller = new AbortController();
      const { ending } = this.world;
      this.controller = controller;
      // Every hook of a dispatch listens to it.
      setMaxListeners(0, controller.signal);
      const onEnding = () => controller.abort(ending.reason);
      if (this.response.destroyed) controller.abort();
      else if (ending.aborted) onEnding();
      else {
        ending.addEventListener("abort", onEnding);
        this.response.once("close", () => {
          ending.removeEventListener("abort", onEnding);
          if (!this.response.writableFinished) controller.abort();
        });
      }
    }
    return this.controller.signal;
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return typeof value === "object" ? value.join(", ") : value;
  }

  async body(): Promise<Buffer> {
    const { takes = [], encodings, headroom } = this.found.route;
    const type = contentTypeOf(this.request.headers, takes, encodings);
    return this.lease.read(this.request, undefined, headroom?.[type]);
  }
}

export class KeyedExchange extends OpenExchange implements AgentRequest {
  constructor(
    readonly actor: AgentActor,
    readonly confirm: () => Promise<void>,
    readonly setAside: () => void,
    ...rest: ConstructorParameters<typeof OpenExchange>
  ) {
    super(...rest);
  }
}

/** The key in `Authorization: Bearer`. Errors: `unauthenticated`. */
export function bearerOf(request: IncomingMessage): string {
  const header = request.headers.authorization ?? "";
  if (header.length < 8 || header.slice(0, 7).toLowerCase() !== "bearer ") throw new AppError("unauthenticated");
  return header.slice(7).trim();
}

export function sendAnswer(response: ServerResponse, { status, headers, body }: AgentAnswer): void {
  if (response.destroyed) return;
  if (body !== undefined) response.setHeader("content-length", Buffer.byteLength(body));
  response.writeHead(status, headers as Record<string, string>); // holds: it is read, and only read
  response.end(body);
}
