/** Expressions that many rules share. */
export const AN = "[a-zA-Z0-9]";
export const HEX = "[a-f0-9]";
export const LOWER = "[a-z0-9]";
export const URL64 = "[a-zA-Z0-9_-]";
export const BASE64 = "[a-zA-Z0-9+/=]";
export const UUID = "[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{12}";
