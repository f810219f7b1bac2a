import { list, oneOf, text, whole } from '../shared/shape.ts';
import { dataOf, type Shapes, withReason } from '../shared/shapes.ts';
import type {
  PasskeyAdded,
  PasskeyRemoved,
  PasskeyRenamed,
  PasskeyUsed,
  RecoveryCodesIssued,
  RecoveryCodeUsed,
  SecondFactorEvent,
  SecondFactorsRemoved,
  TotpCodeUsed,
  TotpEnrolled,
  TotpRemoved,
} from './second-factor-events.ts';

const userId = whole;
const purpose = oneOf('sign-in', 'confirmation');

export const secondFactorShapes: Shapes<SecondFactorEvent> = {
  TotpEnrolled: dataOf<TotpEnrolled>({ userId, secret: text, timeStep: whole }),
  TotpRemoved: dataOf<TotpRemoved>({ userId }),
  TotpCodeUsed: dataOf<TotpCodeUsed>({ userId, timeStep: whole, purpose }),
  RecoveryCodesIssued: dataOf<RecoveryCodesIssued>({ userId, codeHashes: list(text) }),
  RecoveryCodeUsed: dataOf<RecoveryCodeUsed>({ userId, codeHash: text, purpose }),
  PasskeyAdded: dataOf<PasskeyAdded>({
    userId,
    credentialId: text,
    publicKey: text,
    counter: whole,
    name: text,
    transports: list(text),
  }),
  PasskeyRenamed: dataOf<PasskeyRenamed>({ userId, credentialId: text, name: text }),
  PasskeyRemoved: dataOf<PasskeyRemoved>({ userId, credentialId: text }),
  PasskeyUsed: dataOf<PasskeyUsed>({ userId, credentialId: text, counter: whole, purpose }),
  SecondFactorsRemoved: dataOf<SecondFactorsRemoved>({ userId, ...withReason }),
};
