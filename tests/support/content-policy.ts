import type { BrowserContext } from 'playwright-core';

/** The browser's reports of violations of the content security policy, as they arrive. */
export const watchPolicy = async (context: BrowserContext): Promise<readonly string[]> => {
  const violations: string[] = [];
  await context.exposeFunction('noteViolation', (text: string) => violations.push(text));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { violatedDirective, blockedURI, sourceFile, lineNumber } = event;
      const text = `${location.pathname}: ${violatedDirective} ${blockedURI} at ${sourceFile}:${lineNumber}`;
      (window as unknown as { noteViolation: (said: string) => void }).noteViolation(text);
    });
  });
  return violations;
};
