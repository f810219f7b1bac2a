import { projectPath } from '../entries.ts';
import { productVersion } from '../web-app.ts';
import { openApiDocument } from './document.ts';

/** The description that clients can be made from without a running product. */
export const committedOpenApi = projectPath('infra', 'openapi.json');

export const openApiText = (): string =>
  `${JSON.stringify(openApiDocument(productVersion()), null, 2)}\n`;
