import type { Routes } from '../http/routes.ts';
import type { Services } from '../services.ts';
import { createUserAdminRoutes } from './admin-routes.ts';
import { createEmailRoutes } from './email-routes.ts';
import { createSecondFactorRoutes } from './second-factor/routes.ts';
import { createSelfRoutes } from './self-routes.ts';
import { createSessionRoutes } from './session-routes.ts';

export const createUserRoutes = (services: Services): Routes => ({
  ...createSessionRoutes(services),
  ...createSecondFactorRoutes(services),
  ...createSelfRoutes(services),
  ...createEmailRoutes(services),
  ...createUserAdminRoutes(services),
});
