import type { Role } from '../access/roles.ts';
import type { Command } from '../shared/event.ts';
import type { UserId } from '../shared/ids.ts';
import type { WithReason } from '../shared/reason.ts';
import type { Sealed } from '../shared/sealed.ts';

/** First run: the super admin exists from now on. */
export type InitialiseSite = Command<
  'InitialiseSite',
  { rootUserId: UserId; selfUseMode: boolean; demoSite: boolean }
>;
type ByAdmin = Readonly<{ actorRole: Role }> & WithReason;

/** `secret`: the one that is sent to the target of this option, entered again. */
export type ChangeOption = Command<
  'ChangeOption',
  { key: string; value: string; secret?: Sealed } & ByAdmin
>;
/** For options that are stored sealed and never shown. */
export type ChangeSecretOption = Command<
  'ChangeSecretOption',
  { key: string; sealed: Sealed } & ByAdmin
>;
/** Back to the default; a secret is cleared. */
export type ResetOption = Command<'ResetOption', { key: string } & ByAdmin>;

/** Takes charges and errors from before `before` (Unix seconds) out of the usage log. */
export type PruneUsageLog = Command<'PruneUsageLog', { before: number }>;

export type SiteCommand =
  | InitialiseSite
  | ChangeOption
  | ChangeSecretOption
  | ResetOption
  | PruneUsageLog;
