import { replyContent } from './reply-content.ts';
import { replyEnds } from './reply-ends.ts';
import type { ReplyFeature } from './reply-shapes.ts';

/** What an answer may hold. */
export const replyFeatures: readonly ReplyFeature[] = [...replyContent, ...replyEnds];
