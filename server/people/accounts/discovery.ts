/** The endpoints of the sign-on provider from its discovery document: fetched, and checked against the address rule. */
import { z } from "zod";
import type { AddressRule } from "../../platform/outgoing/address-rule.ts";
import { type Outgoing, OutgoingError } from "../../platform/outgoing/outgoing.ts";

const endpoint = z.url().max(2_000);
const discoveryDocument = z.object({
  issuer: endpoint,
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: endpoint.optional(),
  id_token_signing_alg_values_supported: z.array(z.string().max(20)).max(50).optional(),
  scopes_supported: z.array(z.string()).max(500).optional().catch(undefined),
  claims_supported: z.array(z.string()).max(500).optional().catch(undefined),
});

export interface ProviderEndpoints {
  /** As the document writes it, which is how identity tokens write it. */
  readonly issuer: string;
  readonly authorization: URL;
  readonly token: URL;
  readonly keys: URL;
  readonly userInfo: URL | null;
  /** Signature algorithms of identity tokens; undefined when the document does not list them. */
  readonly algorithms: string[] | undefined;
  /** The scope that asks for the groups of a person; null where the provider lists none. */
  readonly groupsScope: "groups" | null;
  /** The provider lists the claim of groups: it may be in the user info where the token lacks it. */
  readonly hasGroups: boolean;
}

/** The reason why a provider cannot be used: a sentence for the operator. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
}

/** Errors: `ProviderError`. */
export async function discover(outgoing: Outgoing, rule: AddressRule, issuer: string): Promise<ProviderEndpoints> {
  const base = issuer.replace(/\/+$/, "");
  const found = discoveryDocument.safeParse(
    await askProvider(outgoing, "discovery document", new URL(`${base}/.well-known/openid-configuration`)),
  );
  if (!found.success) {
    const field = found.error.issues[0]?.path.join(".") || "content";
    throw new ProviderError(`The provider's discovery document cannot be used: its ${field} is missing or wrong.`);
  }
  const { data } = found;
  if (data.issuer.replace(/\/+$/, "") !== base)
    throw new ProviderError(
      `The provider's discovery document names another issuer, ${data.issuer}. Enter the issuer exactly as the provider writes it.`,
    );
  const checked = (field: string, text: string): URL => {
    const url = new URL(text);
    const refusal = rule.refusal(url);
    if (refusal === null) return url;
    throw new ProviderError(`The provider's discovery document names ${url.origin} as its ${field}. ${refusal}`);
  };
  const { userinfo_endpoint: userInfo } = data;
  return {
    issuer: data.issuer,
    authorization: checked("authorization_endpoint", data.authorization_endpoint),
    token: checked("token_endpoint", data.token_endpoint),
    keys: checked("jwks_uri", data.jwks_uri),
    userInfo: userInfo === undefined ? null : checked("userinfo_endpoint", userInfo),
    algorithms: data.id_token_signing_alg_values_supported,
    groupsScope: data.scopes_supported?.includes("groups") ? "groups" : null,
    hasGroups: data.claims_supported?.includes("groups") ?? false,
  };
}

/** The JSON of a successful answer of the provider. Errors: `ProviderError`. */
export async function askProvider(
  outgoing: Outgoing,
  subject: string,
  url: URL,
  request: Parameters<Outgoing["send"]>[1] = {},
): Promise<unknown> {
  const { status, body } = await outgoing.send(url, request).catch((error: unknown) => {
    if (!(error instanceof OutgoingError)) throw error;
    const says = error.failure === "refused" ? error.message : `It ${error.message}.`;
    throw new ProviderError(`The provider's ${subject} at ${url.origin} was not read. ${says}`);
  });
  if (status < 200 || status > 299) throw new ProviderError(`The provider's ${subject} answered ${status}.`);
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new ProviderError(`The provider's ${subject} is no JSON.`);
  }
}
