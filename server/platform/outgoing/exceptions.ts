/**
 * Private addresses that go on being asked because they were asked before they had to be listed. They count only while the
 * operator has not set the variable of their purpose: a list, or `none`, is the whole truth.
 */
import type { Tx } from "../db.ts";
import { type EndpointAddress, endpointOf } from "./address-rule.ts";

export type ExceptionPurpose = "models" | "mail";

export async function listExceptions(
  tx: Tx,
  workspaceId: string,
  purpose: ExceptionPurpose,
): Promise<EndpointAddress[]> {
  const rows = await tx.outgoingException.findMany({
    where: { workspaceId, purpose },
    orderBy: [{ host: "asc" }, { port: "asc" }],
    take: 1_000,
  });
  return rows.flatMap((row) => normalized(row) ?? []);
}

/** False when there was none. */
export async function removeException(
  tx: Tx,
  workspaceId: string,
  purpose: ExceptionPurpose,
  endpoint: EndpointAddress,
): Promise<boolean> {
  const rows = await tx.outgoingException.findMany({ where: { workspaceId, purpose }, take: 1_000 });
  const hosts = rows.filter((row) => isSameEndpoint(normalized(row), endpoint)).map(({ host }) => host);
  const where = { workspaceId, purpose, port: endpoint.port, host: { in: hosts } };
  return (await tx.outgoingException.deleteMany({ where })).count > 0;
}

export const isSameEndpoint = (one: EndpointAddress | null, other: EndpointAddress): boolean =>
  one !== null && one.host === other.host && one.port === other.port;

/** The host as URLs write it: `127.1` and `127.0.0.1` are one. Null for a text that is no host. */
function normalized({ host, port }: EndpointAddress): EndpointAddress | null {
  const text = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return URL.canParse(text) ? endpointOf(new URL(text)) : null;
}

/** As people write it: `http://127.0.0.1:11434` without its scheme. */
export const endpointText = ({ host, port }: EndpointAddress): string =>
  `${host.includes(":") ? `[${host}]` : host}:${port}`;
