/**
 * Sign-on by a company's own identity provider. The account library keeps state, nonce and accounts and checks identity
 * tokens; every request to the provider uses the guarded client for outgoing requests instead of the library's own.
 */
import { APIError } from "better-auth/api";
import {
  authorizationCodeRequest,
  createAuthorizationURL,
  getOAuth2Tokens,
  type OAuth2Tokens,
  type OAuthProvider,
  parseStringBoolean,
  verifyProviderIdToken,
} from "better-auth/oauth2";
import type { BetterAuthPlugin } from "better-auth/types";
import { createRemoteJWKSet, customFetch, decodeJwt } from "jose";
import { z } from "zod";
import type { Log } from "../../platform/log.ts";
import type { AddressRule } from "../../platform/outgoing/address-rule.ts";
import { createOutgoing, type Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { OpenSignOn } from "../installation/sign-on.ts";
import { SIGN_ON_ID } from "./account-names.ts";
import { askProvider, discover, ProviderError } from "./discovery.ts";
import { currentExchange } from "./http-exchange.ts";
import { readGroups } from "./sign-on-groups.ts";

const LIMITS = { bytesMax: 512 * 1024, timeoutMs: 10_000 };
const SCOPES = ["openid", "email", "profile"];
/** A provider that moves an endpoint is followed after this. */
const DISCOVERY_VALID_MS = 3_600_000;

const claimsOf = z.looseObject({
  sub: z.string().min(1).max(255),
  email: z.string().max(320).optional().catch(undefined),
  email_verified: z.unknown(),
  name: z.string().optional().catch(undefined),
  /** The time when the visitor authenticated at the provider, in seconds. */
  auth_time: z.number().int().positive().optional().catch(undefined),
  picture: z.string().optional().catch(undefined),
  groups: z.unknown().optional(),
});
type Claims = z.infer<typeof claimsOf>;

interface SignOnWorld {
  readonly log: Log;
  /** Addresses of providers that may be asked. */
  readonly providers: AddressRule;
}

/** Tells the operator of an error of the provider. */
type Note = (error: ProviderError) => void;

export function signOnPlugin(world: SignOnWorld, signOn: OpenSignOn): BetterAuthPlugin {
  const provider = createProvider(world, signOn);
  return {
    id: SIGN_ON_ID,
    init: ({ socialProviders }) => ({ context: { socialProviders: [provider, ...socialProviders] } }),
  };
}

function createProvider({ log, providers }: SignOnWorld, signOn: OpenSignOn): OAuthProvider {
  const { clientId, clientSecret } = signOn;
  const options = { clientId, clientSecret };
  const outgoing = createOutgoing(providers, LIMITS);
  const note: Note = (error) => log.warn({ problem: error.message }, "the sign-on provider cannot be used");
  const connection = createConnection(outgoing, providers, signOn, note);

  return {
    id: SIGN_ON_ID,
    name: SIGN_ON_ID,
    requiresIdTokenNonce: true,
    // The verified token's: `profileOf` is the only source of profiles.
    accountSubject: ({ profile }) => claimsOf.parse(profile).sub,
    createAuthorizationURL: ({
      state,
      codeVerifier,
      scopes = [],
      redirectURI,
      idTokenNonce,
      loginHint,
      additionalParams,
    }) =>
      explained(note, async () => {
        const { endpoints } = await connection();
        return createAuthorizationURL({
          id: SIGN_ON_ID,
          options,
          authorizationEndpoint: endpoints.authorization.href,
          state,
          codeVerifier,
          scopes: [...new Set([...scopes, ...SCOPES, ...(endpoints.groupsScope ? [endpoints.groupsScope] : [])])],
          redirectURI,
          nonce: idTokenNonce,
          loginHint,
          additionalParams,
        });
      }),
    validateAuthorizationCode: ({ code, codeVerifier, redirectURI }) =>
      explained(note, async () => {
        const { endpoints } = await connection();
        const { body, headers } = await authorizationCodeRequest({ code, codeVerifier, redirectURI, options });
        const answer = await askProvider(outgoing, "token_endpoint", endpoints.token, {
          method: "POST",
          headers,
          body: body.toString(),
        });
        return getOAuth2Tokens(z.record(z.string(), z.unknown()).parse(answer));
      }),
    // The library takes null for an answer here, and turns an error into a page of JSON.
    async getUserInfo({ expectedIdTokenNonce, ...tokens }) {
      const data = await profileOf({ clientId, outgoing, connection }, tokens, expectedIdTokenNonce).catch(
        (error: unknown) => {
          if (!(error instanceof ProviderError)) throw error;
          note(error);
          return null;
        },
      );
      if (data === null) return null;
      const emailVerified = parseStringBoolean(data.email_verified) ?? false;
      return { user: { email: data.email, emailVerified, name: data.name, image: data.picture }, data };
    },
  };
}

/** The reason is the operator's to read; a visitor learns that the provider is at fault. */
async function explained<T>(note: Note, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    note(error);
    throw new APIError("BAD_GATEWAY", {
      code: "sign_on_unavailable",
      message: "The sign-on provider cannot be used. Ask the server's operator to check its log.",
    });
  }
}

interface ProfileSource {
  readonly clientId: string;
  readonly outgoing: Outgoing;
  readonly connection: ReturnType<typeof createConnection>;
}

async function profileOf(
  { clientId, outgoing, connection }: ProfileSource,
  { idToken, accessToken }: OAuth2Tokens,
  nonce: string | undefined,
): Promise<Claims | null> {
  if (!idToken || !nonce) return null;
  const { endpoints, keys } = await connection();
  const { issuer, algorithms, userInfo, hasGroups } = endpoints;
  const verifier = { id: SIGN_ON_ID, idToken: { jwks: keys, issuer, audience: clientId, algorithms } };
  if (!(await verifyProviderIdToken(verifier, idToken, nonce))) return null;
  const { data: claims } = claimsOf.safeParse(decodeJwt(idToken));
  if (!claims) return null;
  confirmBy(claims);
  noteGroups(claims);
  const isWhole = claims.email !== undefined && (claims.groups !== undefined || !hasGroups);
  if (isWhole || userInfo === null || !accessToken) return claims;
  const headers = { authorization: `Bearer ${accessToken}`, accept: "application/json" };
  const more = claimsOf.safeParse(await askProvider(outgoing, "userinfo_endpoint", userInfo, { headers }));
  if (!more.success || more.data.sub !== claims.sub) return null;
  noteGroups(more.data);
  return { ...claims, ...more.data };
}

/** A provider that names no groups says nothing about them, and those of the sign-in before stay. */
function noteGroups({ groups }: Claims): void {
  const exchange = currentExchange();
  if (exchange && groups !== undefined) exchange.groups = readGroups(groups);
}

/**
 * Takes the time of authentication from the verified token only. If a page omits `max_age` on the way to the provider,
 * the instant is too old or missing.
 */
function confirmBy({ auth_time: seconds }: Claims): void {
  const exchange = currentExchange();
  if (exchange) exchange.confirmedAt = seconds === undefined ? null : new Date(Math.min(seconds * 1000, Date.now()));
}

/** The provider's endpoints and keys, fetched when first needed and cached; a failure is not cached. */
function createConnection(outgoing: Outgoing, providers: AddressRule, { issuer }: OpenSignOn, note: Note) {
  async function fetchKeys(url: string, { headers, signal }: { headers: Headers; signal: AbortSignal }) {
    const request = { headers: Object.fromEntries(headers), signal };
    try {
      return Response.json(await askProvider(outgoing, "jwks_uri", new URL(url), request));
    } catch (error) {
      // The verifier of tokens says only that a token is not good.
      if (error instanceof ProviderError) note(error);
      throw error;
    }
  }
  const open = async () => {
    const endpoints = await discover(outgoing, providers, issuer);
    return { endpoints, keys: createRemoteJWKSet(endpoints.keys, { [customFetch]: fetchKeys }) };
  };
  let current: { readonly opened: ReturnType<typeof open>; readonly untilMs: number } | null = null;
  return () => {
    if (current !== null && Date.now() < current.untilMs) return current.opened;
    const asked = { opened: open(), untilMs: Date.now() + DISCOVERY_VALID_MS };
    current = asked;
    asked.opened.catch(() => {
      if (current === asked) current = null;
    });
    return asked.opened;
  };
}
