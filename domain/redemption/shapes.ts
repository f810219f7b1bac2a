import { object, optional, text, whole } from '../shared/shape.ts';
import { dataOf, type Shapes } from '../shared/shapes.ts';
import type {
  RedemptionChanged,
  RedemptionCreated,
  RedemptionEvent,
  RedemptionRedeemed,
} from './events.ts';

const redemptionId = whole;
const ofRedemption = object({ redemptionId });

export const redemptionShapes: Shapes<RedemptionEvent> = {
  RedemptionCreated: dataOf<RedemptionCreated>({
    redemptionId,
    name: text,
    quota: whole,
    sealedCode: text,
    codeHash: text,
    createdBy: whole,
  }),
  RedemptionChanged: dataOf<RedemptionChanged>({
    redemptionId,
    name: text,
    quota: whole,
    previous: object({ name: text, quota: whole }),
    changedBy: optional(whole),
  }),
  RedemptionEnabled: ofRedemption,
  RedemptionDisabled: ofRedemption,
  RedemptionRedeemed: dataOf<RedemptionRedeemed>({ redemptionId, quota: whole, redeemedBy: whole }),
  RedemptionDeleted: ofRedemption,
};
