export { createAuthenticator } from "./authenticate.ts";
export { createEnrolmentToken } from "./enrolment-tokens.ts";
export { countFleet, counts, search } from "./fleet.ts";
export { createGroup, deleteGroup, groups, orderGroups, renameGroup, setGroupMembers } from "./groups.ts";
export { createKey, revokeKey } from "./keys.ts";
export { remove, rename, restore, retire } from "./lifecycle.ts";
export { create, list } from "./service.ts";
export { setTags } from "./tags.ts";
