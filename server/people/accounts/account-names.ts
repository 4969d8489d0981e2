/** Names that requests and the account library share. They are apart from the library, which few processes load. */
export const ACCOUNTS_PATH = "/api/auth";
/** The header in which the gateway passes the connection's address; the same header from a client is dropped. */
export const ADDRESS_HEADER = "x-quarterdeck-address";
/** The library's name for the provider of sign-on. */
export const SIGN_ON_ID = "sign-on";
