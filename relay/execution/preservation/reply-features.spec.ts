import { replyContent } from './reply-content.spec.ts';
import { replyEnds } from './reply-ends.spec.ts';
import type { ReplyFeature } from './reply-shapes.spec.ts';

/** What an answer may hold. */
export const replyFeatures: readonly ReplyFeature[] = [...replyContent, ...replyEnds];
