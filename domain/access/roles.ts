/** 1 ordinary user, 10 admin, 100 super admin. */
export type Role = 1 | 10 | 100;

export const ordinaryRole: Role = 1;
export const adminRole: Role = 10;
/** The super admin. */
export const rootRole: Role = 100;

/**
 * What a call of the console API requires of a signed-in person (infra/reference/console-rules.md).
 */
export type PersonAccess = 'user' | 'admin' | 'root';

/** The least role for it. */
export const neededRole: Readonly<Record<PersonAccess, Role>> = {
  user: ordinaryRole,
  admin: adminRole,
  root: rootRole,
};

/** Who acts on a person: another one of this role, or the person themself. */
export type ActingAs = Role | 'self';

/** A person acts on those below; the super admin on everyone (infra/reference/console-rules.md). */
export const mayActOn = (actorRole: Role, targetRole: Role): boolean =>
  actorRole === rootRole || actorRole > targetRole;
