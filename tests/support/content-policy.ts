import type { BrowserContext } from 'playwright-core';

/** What the browser says when one of its pages does what its content security policy forbids, as it comes. */
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
