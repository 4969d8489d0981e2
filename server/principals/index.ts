/** The people and services that agents work for, for other features. */

export { eraseOf, findToErase } from "./erase.ts";
export { isOfPrincipalsSql, isOwnerOfSql, principalValueSql } from "./filter-sql.ts";
export { endLoginsOf, findObstacle, type LockedAgent, lockAgent, logIn, logOut } from "./logins.ts";
export type { MergedPeople } from "./merge-step.ts";
export { principalOfCall } from "./principal-of-call.ts";
export {
  findOwner,
  findPerson,
  findUsable as findUsablePrincipal,
  list as listPrincipals,
  listNames as listPrincipalNames,
  OWNER_JSON_SQL,
  saveOwner,
} from "./repository.ts";
export { type ResolvedOwner, resolveOwner, resolveSystemUser, type StatedPerson } from "./resolve.ts";
export { findWorksFor, setOwner } from "./service.ts";
export { createStatedPeople, type StatedPeople } from "./stated-people.ts";
