/** A plain connection to a host that people gave, for protocols that are not HTTP. */
import { connect, isIP, type Socket } from "node:net";
import type { AddressRule, EndpointAddress } from "./address-rule.ts";
import { guardedLookup, PrivateAddressError } from "./guarded-lookup.ts";

/** Opens a socket to an address that the rule allows. Errors: `PrivateAddressError`; those of the network. */
export function connectGuarded(
  rule: AddressRule,
  { host, port }: EndpointAddress,
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<Socket> {
  const plain = host.toLowerCase();
  const isRefused = isIP(plain) === 0 ? rule.hostRefusal(plain) !== null : !rule.allowsAddress(plain, plain);
  if (isRefused) return Promise.reject(new PrivateAddressError(rule.privateRefusal));
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: guardedLookup(rule, plain) });
    const timer = setTimeout(() => {
      const error = Object.assign(new Error("the connection was not made in time"), { code: "ETIMEDOUT" });
      socket.destroy(error);
    }, timeoutMs);
    // Never removed: the caller adds its own listener only a moment later.
    socket.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    socket.once("connect", () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}
