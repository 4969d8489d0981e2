export { answerCircuits, countOpen, list } from "./service.ts";
