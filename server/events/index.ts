export { announcedTransaction, announceWithCommit } from "./announced-transaction.ts";
export { answerCaughtUp, untilHeardEverywhere } from "./everywhere.ts";
export { type Bus, createBus } from "./service.ts";
