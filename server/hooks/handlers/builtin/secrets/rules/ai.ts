/** Model providers and related services. */
import { assignedValueRule, prefixedTokenRule } from "../rule.ts";
import { AN, HEX, LOWER, URL64 } from "./shapes.ts";

const OPENAI_INFIX = ["T3Blbk", "FJ"].join("");

export const AI = [
  prefixedTokenRule("openai", ["sk-"], `${URL64}{20,120}${OPENAI_INFIX}${URL64}{20,120}`),
  prefixedTokenRule("anthropic", ["sk-ant-"], `(?:api|sid|admin)[0-9]{2}-${URL64}{93}AA`),
  prefixedTokenRule("hugging-face", ["hf_"], `${AN}{34,40}`),
  prefixedTokenRule("hugging-face-organization", ["api_org_"], `${AN}{34}`),
  prefixedTokenRule("groq", ["gsk_"], `${AN}{52}`),
  prefixedTokenRule("perplexity", ["pplx-"], `${AN}{48,56}`),
  prefixedTokenRule("xai", ["xai-"], `${AN}{80}`),
  prefixedTokenRule("cohere", ["co_"], `${AN}{40}`),
  prefixedTokenRule("replicate", ["r8_"], `${AN}{37}`),
  prefixedTokenRule("openrouter", ["sk-or-v1-"], `${HEX}{64}`),
  assignedValueRule("deepseek", ["deepseek"], `sk-${LOWER}{32}`),
  prefixedTokenRule("pinecone", ["pckey_"], `${URL64}{20,120}`),
  prefixedTokenRule("pinecone-secret", ["pcsk_"], `${AN}{5,6}_${AN}{63}`),
  prefixedTokenRule("langsmith", ["lsv2_pt_", "lsv2_sk_"], `${HEX}{32}_${HEX}{10}`),
  prefixedTokenRule("nvidia", ["nvapi-"], `${URL64}{64}`),
  assignedValueRule("assemblyai", ["assemblyai", "assembly_ai"], `${HEX}{32}`),
  assignedValueRule("deepgram", ["deepgram"], `${HEX}{40}`),
  prefixedTokenRule("voiceflow", ["VF."], `(?:(?:DM|WS)\\.)?[a-fA-F0-9]{24}\\.${AN}{16}`),
];
