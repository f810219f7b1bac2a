import type { Role } from '../user/events.ts';

export const ordinaryRole: Role = 1;
export const adminRole: Role = 10;
/** The super admin. */
export const rootRole: Role = 100;

/** Who acts on a person: somebody of this role, or the person themself. */
export type ActingAs = Role | 'self';

/** A person acts on those below; the super admin on everybody (console API sheet, section 7). */
export const mayActOn = (actorRole: Role, targetRole: Role): boolean =>
  actorRole === rootRole || actorRole > targetRole;
