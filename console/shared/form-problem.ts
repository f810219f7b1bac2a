import { createContext, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from './api/api-error.ts';
import { errorText, reportError } from './api/report-error.ts';
import type { RefusedFields } from './refusals.ts';

/** The error of one field of a form, with what would be right. */
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

/** A form whose first field with a problem gets the focus, be it found here or by the server. */
export const useProblemFocus = (problem: FormProblem | null) => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problem !== null && form.current !== null) focusFirstProblem(form.current);
  }, [problem]);
  return form;
};

type Report = (field: string, message: string) => void;

/**
 * Shows a refusal at the field that its code is about; every other failure is reported as always.
 * For calls that report nothing by themselves (`isQuiet`).
 */
export const useRefusals = (report: Report, fields: RefusedFields) => {
  const { t } = useTranslation('common');
  return (error: unknown): void => {
    const field = error instanceof ApiError ? fields[error.code] : undefined;
    if (field === undefined) reportError(error, t);
    else report(field, errorText(error, t));
  };
};
