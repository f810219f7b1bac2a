import { createContext, useState } from 'react';

/** What is wrong with one field of a form, in words that say what is right. */
export type FormProblem = Readonly<{ field: string; text: string }>;

/** The problem of the form around a field; null while there is none. */
export const FormProblemContext = createContext<FormProblem | null>(null);

/** A problem holds until the draft is edited. */
export const useFormProblem = (draft: unknown) => {
  const text = JSON.stringify(draft);
  const [found, setFound] = useState<Readonly<{ problem: FormProblem; draft: string }> | null>(
    null,
  );
  return {
    problem: found?.draft === text ? found.problem : null,
    report: (field: string, message: string) =>
      setFound({ problem: { field, text: message }, draft: text }),
  };
};

/** Moves the focus to the first field with a problem, once it is shown. */
export const focusFirstProblem = (form: HTMLElement): void => {
  setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), 0);
};
