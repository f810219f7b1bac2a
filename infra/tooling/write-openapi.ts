/* `npm run openapi`: writes the description of the console API that the repository holds. */
import { writeFileSync } from 'node:fs';
import { committedOpenApi, openApiText } from '../processes/committed-openapi.ts';

writeFileSync(committedOpenApi, openApiText());
console.log(`wrote ${committedOpenApi}`);
