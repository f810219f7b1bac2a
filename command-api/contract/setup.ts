import { z } from 'zod';

/** POST /api/setup. The first three are left out when a super admin exists already. */
export const setupBody = z.object({
  username: z.string().trim().max(64).default(''),
  password: z.string().max(1_024).default(''),
  confirmPassword: z.string().max(1_024).default(''),
  SelfUseModeEnabled: z.boolean().default(false),
  DemoSiteEnabled: z.boolean().default(false),
});
