/**
 * A name lookup that returns only allowed addresses, so that the connection uses exactly the address that was checked.
 */
import { lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import type { AddressRule } from "./address-rule.ts";

/** A name that leads to no address which may be asked. */
export class PrivateAddressError extends Error {
  override readonly name = "PrivateAddressError";
}

export function guardedLookup(rule: AddressRule, host: string): LookupFunction {
  return (name, options, done) => {
    systemLookup(name, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const allowed = addresses.filter(({ address }) => rule.allowsAddress(host, address));
      const first = allowed[0];
      if (!first) return done(new PrivateAddressError(rule.privateRefusal), []);
      if (options.all) return done(null, allowed);
      return done(null, first.address, first.family);
    });
  };
}
