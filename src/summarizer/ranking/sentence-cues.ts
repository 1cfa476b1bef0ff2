// Data: words that raise or lower the rank of a sentence. Case does not matter.

/** Words in sentences that say what a meeting is about. */
export const importance =
  /\b(?:goals?|aims?|purpose|targets?|plan(?:s|ned)?|budget|deadline|launch|release|priorit(?:y|ies)|problems?|issues?|risks?|because|important|main|key|need(?:s|ed)? to|has to|have to|must|should|decide[ds]?|decision|agreed?|propos(?:e|al|ed)|suggest(?:ed|ion)?|recommend(?:ed|ation)?|conclusion|result(?:s|ed)?|cause[ds]?|requirement|cost(?:s)?|customers?|users?|next step|instead|solution|option|percent|million|thousand)\b/i

/** Talk about the meeting itself, which is seldom worth quoting. */
export const logistics =
  /\b(?:be sent|receive) (?:a|the) (?:draft of the )?transcript\b|\b(?:can you hear|hear me|share my screen|my screen|mute|next slide|this slide|powerpoint|welcome|good morning|good afternoon|good evening|thank(?:s| you)|see you|bye|my name is|nice to meet|how are you|sorry|excuse me|minutes left|agenda|next meetings?|whiteboard|microphone|camera|okay so next|laptop|coffee|lunch|quorum|meet in private|call the (?:roll|vote)|(?:meeting|session) to order|stand adjourned|state your name|hang on|hold on|documents? folder|project (?:folder|documents)|presentations?|(?:take|make|my) notes|quick opening|the (?:pen|eraser|notes)|favourite animal|word document|desktop|wrap (?:this|that|it) up|come back and discuss|shift gears|move on|get acquainted|(?:this|item|first|second|third) (?:\d+ )?(?:meeting|session)|bilingual|translation|(?:the )?next (?:thirty|few|five|ten|twenty) minutes|personal coach|questionnaire|smartboard|powerpoint|slides?|e-?mail(?:ed)?|microphones?|mikes?|declarations of interest|apologies|desert island|play-?doh|give me a second|by the way did)\b/i
