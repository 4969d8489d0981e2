/** The address of a receiver: a URL, or host and port for syslog. Pure. */
import { type AddressRule, type EndpointAddress, receiverRefusal } from "../platform/outgoing/address-rule.ts";
import type { ReceiverKind } from "./schema.ts";

const ENDPOINT = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)):(\d{1,5})$/i;
const PORT_MAX = 65_535;

/** Host and port; null for any other text. */
export function parseEndpoint(address: string): EndpointAddress | null {
  const [, bracketed, plain, digits] = ENDPOINT.exec(address) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  return host === undefined || port < 1 || port > PORT_MAX ? null : { host: host.toLowerCase(), port };
}

/** The origin that a secret is bound to: it is never sent elsewhere. Null for an address that is not valid. */
export function originOf(kind: ReceiverKind, address: string): string | null {
  if (kind !== "syslog") return URL.canParse(address) ? new URL(address).origin : null;
  const endpoint = parseEndpoint(address);
  return endpoint && `${endpoint.host}:${endpoint.port}`;
}

/** Null when the address may be used, else what is wrong. `ownUrl`: where this installation is reached. */
export function addressRefusal(
  kind: ReceiverKind,
  address: string,
  { addresses, ownUrl }: { readonly addresses: AddressRule; readonly ownUrl: string },
): string | null {
  if (kind === "syslog") {
    const endpoint = parseEndpoint(address);
    if (endpoint === null) return "Enter host and port, such as siem.example.com:6514.";
    return addresses.hostRefusal(endpoint.host);
  }
  if (!URL.canParse(address)) return "Enter a full address, such as https://siem.example.com:8088/services/collector.";
  const url = new URL(address);
  // Events that this installation records because of a stream would be sent by the stream again.
  if (url.origin === new URL(ownUrl).origin)
    return "This is the address of this console. A stream to itself never ends.";
  return receiverRefusal(addresses, url);
}
