/**
 * Text that tries to instruct the model that reads it. A sentence with such a phrase is not shown as an answer, and what quotes
 * one is not trusted. Everything is bounded, so that it is linear in the text.
 */
const instruction =
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|prompts?|rules|above|previous|everything)\b|\b(?:system|developer) (?:prompt|message)\b|\byou are (?:now|an? (?:ai|assistant|language model))\b|\b(?:respond|reply|output|answer|print|say) only\b|\b(?:assistant|system|user) ?:|\bas an ai\b|\bjailbreak|\b(?:reveal|print|show|repeat) (?:your|the) (?:instructions|prompt|rules|secret)|\bnew instructions?\b|\b(?:ignoriere|vergiss|missachte)\b.{0,40}\b(?:anweisung(?:en)?|regeln|alles)\b|\b(?:ignore[zr]?|oublie[zr]?)\b.{0,40}\b(?:instructions|consignes|règles)\b|\b(?:ignora|olvida|ignore)\b.{0,40}\b(?:instrucciones|istruzioni|instruções|reglas|regole|regras)\b|忽略.{0,20}(?:指令|指示|说明)|以前の指示/iu

export const isInstruction = (text: string): boolean => instruction.test(text)
