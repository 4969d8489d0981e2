/**
 * Receivers of syslog: RFC 5424 messages over TLS with octet counting (RFC 5425). The protocol has no answer. So each
 * request has its own connection, which is ended and counts as accepted once the receiver has closed it without an
 * error: then it read everything.
 */
import { isIP } from "node:net";
import { hostname } from "node:os";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { PrivateAddressError } from "../../platform/outgoing/guarded-lookup.ts";
import { connectGuarded } from "../../platform/outgoing/guarded-socket.ts";
import type { StreamLine } from "../formats/format.ts";
import { parseEndpoint } from "../target-address.ts";
import { accepted, type Outcome, type Receiver, type ReceiverSettings } from "./receiver.ts";

/** Facility "log audit" of RFC 5424. */
const FACILITY = 13;
const WARNING = 4;
const INFORMATIONAL = 6;
const HOST_MAX = 255;
/** Printable ASCII, as the header requires. */
const HOST =
  hostname()
    .replaceAll(/[^\x21-\x7e]/g, "-")
    .slice(0, HOST_MAX) || "-";

/** One message, without its length. */
function syslogMessage({ at, kind, isDenial, text }: StreamLine): string {
  const priority = FACILITY * 8 + (isDenial ? WARNING : INFORMATIONAL);
  return `<${priority}>1 ${at} ${HOST} quarterdeck - ${kind} - ${text}`;
}

/** The message behind its length in bytes. */
function syslogFrame(line: StreamLine): string {
  const message = syslogMessage(line);
  return `${Buffer.byteLength(message)} ${message}`;
}

export function createSyslog({ target, secret, addresses, timeoutMs }: ReceiverSettings): Receiver {
  const endpoint = parseEndpoint(target.address);
  return {
    async send(lines, signal) {
      if (endpoint === null) return failed("The address is not valid.", false);
      let socket: TLSSocket | null = null;
      try {
        const plain = await connectGuarded(addresses, endpoint, { timeoutMs });
        socket = connectTls({
          socket: plain,
          ...(isIP(endpoint.host) === 0 ? { servername: endpoint.host } : {}),
          ...(target.ca === "" ? {} : { ca: target.ca }),
          // A client's certificate and key are one text in PEM.
          ...(secret ? { cert: secret, key: secret } : {}),
          minVersion: "TLSv1.2",
        });
        return await deliver(socket, lines.map(syslogFrame).join(""), timeoutMs, signal);
      } catch (error) {
        socket?.destroy();
        return outcomeOf(error);
      }
    },
    close: () => undefined,
  };
}

/** Writes everything, ends the connection and waits until the receiver has ended it too. */
function deliver(socket: TLSSocket, text: string, timeoutMs: number, signal?: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    let isWritten = false;
    let isEnded = false;
    const fail = (error: Error) => reject(Object.assign(error, { isWritten }));
    const timer = setTimeout(() => fail(new TimeoutError()), timeoutMs);
    const abort = () => fail(new TimeoutError());
    signal?.addEventListener("abort", abort, { once: true });
    socket.once("secureConnect", () => {
      isWritten = true;
      socket.end(text);
    });
    socket.on("end", () => {
      isEnded = true;
    });
    // Nothing that a receiver of syslog says has a meaning.
    socket.resume();
    socket.on("error", fail);
    socket.on("close", () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      if (isWritten && isEnded && socket.writableFinished) resolve(accepted(null));
      else fail(new Error("the connection was closed early"));
    });
  });
}

class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}

const failed = (error: string, isUncertain: boolean): Outcome => ({ kind: "failed", status: null, error, isUncertain });

const isCertificateCode = (code: string): boolean => /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ALTNAME/.test(code);

function outcomeOf(error: unknown): Outcome {
  if (error instanceof PrivateAddressError) return failed(error.message, false);
  const isUncertain = error instanceof Error && Reflect.get(error, "isWritten") === true;
  if (error instanceof TimeoutError) return failed("It did not take the events in time.", isUncertain);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (isCertificateCode(code)) return failed(`Its certificate is not trusted (${code}).`, false);
  return failed(`It could not be reached (${code || "connection lost"}).`, isUncertain);
}
