// Data: English words that carry grammar rather than meaning, in the order of the table of pairs.

export const functionWords: readonly string[] =
  `a about after all also am an and any are as at be because been before being but by can can't could did didn't do
  does doesn't don't for from had has have he he'd he'll he's her here him his how i i'd i'll i'm i've if in into is isn't it
  it's its just let let's may me might more most my no not of off on once only or our out over she she's should so some such
  than that that's the their them then there there's these they they're they've this those through to too under until up us
  very was wasn't we we'd we'll we're we've were what what's when where which while who why will with without won't would
  wouldn't you you'd you'll you're you've your`.split(/\s+/)
