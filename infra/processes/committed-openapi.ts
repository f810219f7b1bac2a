import { projectPath } from './entry-paths.ts';
import { openApiDocument } from './openapi/document.ts';
import { productVersion } from './product-version.ts';

/** The description that clients can be made from without a running product. */
export const committedOpenApi = projectPath('infra', 'openapi.json');

export const openApiText = (): string =>
  `${JSON.stringify(openApiDocument(productVersion()), null, 2)}\n`;
