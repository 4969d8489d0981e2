/**
 * Receivers of syslog: RFC 5424 messages over TLS with octet counting (RFC 5425). The protocol has no answer. So each
 * request has its own connection. It counts as accepted once the receiver has replied to our closure alert with its own,
 * as RFC 5425 section 4.4 requires: TLS keeps the order, so it has read everything before.
 */
import { isIP, type Socket } from "node:net";
import { hostname } from "node:os";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { PrivateAddressError } from "../../platform/outgoing/guarded-lookup.ts";
import { connectGuarded } from "../../platform/outgoing/guarded-socket.ts";
import type { StreamLine } from "../formats/format.ts";
import { parseEndpoint } from "../target-address.ts";
import { withoutEnd } from "./closure-alert.ts";
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
          socket: withoutEnd(plain),
          ...(isIP(endpoint.host) === 0 ? { servername: endpoint.host } : {}),
          ...(target.ca === "" ? {} : { ca: target.ca }),
          // A client's certificate and key are one text in PEM.
          ...(secret ? { cert: secret, key: secret } : {}),
          minVersion: "TLSv1.2",
        });
        return await deliver(plain, socket, lines.map(syslogFrame).join(""), timeoutMs, signal);
      } catch (error) {
        socket?.destroy();
        return outcomeOf(error);
      }
    },
    close: () => undefined,
  };
}

/** Writes everything, ends TLS and waits until the receiver has ended it too and closed the connection. */
function deliver(
  plain: Socket,
  socket: TLSSocket,
  text: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    let isWritten = false;
    let isEnded = false;
    let isConfirmed = false;
    const fail = (error: Error) => reject(Object.assign(error, { isWritten }));
    const timer = setTimeout(() => fail(new TimeoutError()), timeoutMs);
    const abort = () => fail(new TimeoutError());
    signal?.addEventListener("abort", abort, { once: true });
    socket.once("secureConnect", () => {
      isWritten = true;
      socket.write(text, () => {
        isEnded = true;
        socket.end();
      });
    });
    socket.once("end", () => {
      // An alert before our own replies to nothing: the receiver stops.
      isConfirmed = isEnded;
      plain.end();
    });
    // Nothing else that a receiver of syslog says has a meaning.
    socket.resume();
    socket.on("error", fail);
    plain.on("error", fail);
    plain.once("close", () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      // An alert that came with the end of the connection is read by then.
      setImmediate(() => (isConfirmed ? resolve(accepted(null)) : fail(new UnconfirmedError())));
    });
  });
}

class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}

/** The receiver was killed, stopped early, or does not follow RFC 5425. */
class UnconfirmedError extends Error {
  override readonly name = "UnconfirmedError";
}

const failed = (error: string, isUncertain: boolean): Outcome => ({ kind: "failed", status: null, error, isUncertain });

const isCertificateCode = (code: string): boolean => /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ALTNAME/.test(code);

function outcomeOf(error: unknown): Outcome {
  if (error instanceof PrivateAddressError) return failed(error.message, false);
  const isUncertain = error instanceof Error && Reflect.get(error, "isWritten") === true;
  if (error instanceof TimeoutError) return failed("It did not take the events in time.", isUncertain);
  if (error instanceof UnconfirmedError && isUncertain)
    return failed("It closed the connection without TLS's closure alert, so it may not have read the events.", true);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (isCertificateCode(code)) return failed(`Its certificate is not trusted (${code}).`, false);
  return failed(`It could not be reached (${code || "connection lost"}).`, isUncertain);
}
