/**
 * Signs the answers to hook questions, from any source: a route, a refusal before any route, or a denial without the
 * database. A question without a nonce costs nothing. The signature covers the question's body, so an early answer
 * waits for the rest of it.
 */
import { createHash, type Hash } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { AnswerKeys } from "../platform/answer-keys.ts";
import {
  ANSWER_MAC_HEADER,
  answerMac,
  headerLines,
  NONCE,
  NONCE_HEADER,
  readAgentKey,
} from "../platform/answer-mac.ts";
import type { AnsweredNonces } from "./answered-nonces.ts";

const SIGNED_PATHS = ["/api/v1/hooks/", "/api/v1/drills"];
/** An early answer is sent unsigned when the body is larger or takes longer than this. */
const BODY_BYTES_MAX = 8 * 1024 * 1024;
const WAIT_MS_MAX = 15_000;

/** The bodies of questions with a nonce, as they arrive. */
const bodies = new WeakMap<IncomingMessage, BodyHash>();

class BodyHash {
  private readonly hash: Hash = createHash("sha256");
  private bytes = 0;

  take(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (!this.isTooLong) this.hash.update(chunk);
  }

  get isTooLong(): boolean {
    return this.bytes > BODY_BYTES_MAX;
  }

  hex(): string {
    return this.hash.digest("hex");
  }
}

/** Called by the reader of a body for each chunk. */
export function noteBodyChunk(request: IncomingMessage, chunk: Buffer): void {
  bodies.get(request)?.take(chunk);
}

export interface Signing {
  readonly keys: AnswerKeys;
  readonly nonces: AnsweredNonces;
}

/** Called before a request is processed. */
export function signAnswers(request: IncomingMessage, response: ServerResponse, { keys, nonces }: Signing): void {
  const nonce = request.headers[NONCE_HEADER];
  const { url = "" } = request;
  if (typeof nonce !== "string" || !NONCE.test(nonce) || !SIGNED_PATHS.some((path) => url.startsWith(path))) return;
  const [, bearer = ""] = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? "") ?? [];
  const key = readAgentKey(bearer);
  if (key === null) return;
  const lines = headerLines(nonce, (name) => textOf(request.headers[name]));
  const body = new BodyHash();
  bodies.set(request, body);
  const signer = new Signer(request, response, body, (bodySha256, status, bytes) => {
    // Any number of errors: none of them lets a call run.
    if (status === 200 && !nonces.take(key.bearer, nonce)) return null;
    return answerMac(keys.of(key.bearer), { nonce, target: url, bodySha256, lines }, status, bytes);
  });
  response.setHeader(NONCE_HEADER, nonce);
  signer.takeOver();
}

/** A header as the routes read it. */
const textOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(", ") : value);

/** Null for an answer that leaves without a signature. */
type Sign = (bodySha256: string, status: number, answer: Buffer) => string | null;

/**
 * Sits between the routes and the response: holds an answer until it is complete and the question's body has arrived.
 */
class Signer {
  private status = 200;
  private headers: OutgoingHttpHeaders = {};
  private isHeld = false;
  private readonly writeHead: ServerResponse["writeHead"];
  private readonly end: ServerResponse["end"];

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly body: BodyHash,
    private readonly sign: Sign,
  ) {
    this.writeHead = response.writeHead.bind(response);
    this.end = response.end.bind(response);
  }

  takeOver(): void {
    const { response } = this;
    // Every answer of the gateway at these paths is a head and one end, without streaming.
    response.writeHead = ((status: number, headers: OutgoingHttpHeaders = {}) => {
      if (!this.isHeld) Object.assign(this, { status, headers });
      return response;
    }) as ServerResponse["writeHead"]; // holds: no caller gives a status message
    response.end = ((answer: string | Buffer = "") => {
      if (!this.isHeld) this.hold(Buffer.from(answer));
      return response;
    }) as ServerResponse["end"]; // holds: no caller gives a callback
  }

  private hold(answer: Buffer): void {
    this.isHeld = true;
    const { request } = this;
    if (request.readableEnded || hasNoBody(request)) this.send(answer, true);
    else if (this.headers.connection === "close" || request.destroyed) this.send(answer, false);
    else this.waitForBody(answer);
  }

  /** The rest of the question's body is read and let go. */
  private waitForBody(answer: Buffer): void {
    const { request, body } = this;
    let isSent = false;
    const conclude = (isWhole: boolean) => {
      if (isSent) return;
      isSent = true;
      clearTimeout(timer);
      this.send(answer, isWhole);
    };
    const timer = setTimeout(() => conclude(false), WAIT_MS_MAX);
    request.once("end", () => conclude(true)).once("close", () => conclude(false));
    // A handler that already reads the body passes each chunk on.
    if (request.listenerCount("data") === 0) request.on("data", (chunk: Buffer) => body.take(chunk));
    request.on("data", () => {
      if (body.isTooLong) conclude(false);
    });
  }

  private send(answer: Buffer, isWhole: boolean): void {
    const { response, body } = this;
    if (response.destroyed) return;
    const mac = isWhole && !body.isTooLong ? this.sign(body.hex(), this.status, answer) : null;
    if (mac !== null) response.setHeader(ANSWER_MAC_HEADER, mac);
    this.writeHead(this.status, this.headers);
    this.end(answer);
  }
}

const hasNoBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0;
