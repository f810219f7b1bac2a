import { screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';

/** The field gives the reason as its description, and has the focus; no toast repeats it. */
export const expectRefusal = async (field: HTMLElement, reason: string) => {
  await screen.findByText(reason);
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field.getAttribute('aria-invalid')).toBe('true');
  const description = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  expect(description?.textContent).toBe(reason);
  expect(screen.getAllByText(reason)).toHaveLength(1);
};
