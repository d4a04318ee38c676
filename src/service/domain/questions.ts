import type { Answer } from '../../contract/appointments.ts'
import { AppError, type ErrorDetail } from '../../contract/errors.ts'
import type { CustomQuestion } from '../../contract/services.ts'

/**
 * The answers as they are kept: in the order of the questions, each with its question's place as `position`;
 * empty answers to questions that need none are left out.
 * @throws one `invalid_argument` with a detail for each finding: `questions_and_answers[2].answer`, say, or
 * `questions_and_answers` for a question that must be answered and was not.
 */
export function checkAnswers(questions: CustomQuestion[], answers: Answer[]): Answer[] {
  const findings = [...answers.flatMap((answer, index) => findingsAbout(questions, answers, answer, index)), ...missing(questions, answers)]
  if (findings.length > 0) throw new AppError('invalid_argument', sentenceOf(findings), { details: findings })
  return answers
    .filter(({ answer }) => !isEmpty(answer))
    .map((one) => ({ ...one, position: placeOf(questions, one) }))
    .sort((a, b) => a.position - b.position)
}

function findingsAbout(questions: CustomQuestion[], answers: Answer[], { question, answer }: Answer, index: number): ErrorDetail[] {
  const parameter = `questions_and_answers[${index}]`
  const asked = questions.find((one) => one.name === question)
  if (!asked) return [{ parameter: `${parameter}.question`, message: `"${question}" was not asked.`, code: 'unknown_question' }]
  if (answers.findIndex((one) => one.question === question) < index) {
    return [{ parameter: `${parameter}.question`, message: `"${question}" is answered twice.`, code: 'duplicate_answer' }]
  }
  const problem = isEmpty(answer) ? asked.required && 'must be answered' : problemOf(asked, answer)
  return problem ? [{ parameter: `${parameter}.answer`, message: `"${question}" ${problem}.`, code: 'invalid_answer' }] : []
}

function missing(questions: CustomQuestion[], answers: Answer[]): ErrorDetail[] {
  return questions
    .filter(({ name, required }) => required && !answers.some((one) => one.question === name))
    .map(({ name }) => ({ parameter: 'questions_and_answers', message: `"${name}" must be answered.`, code: 'missing_answer' }))
}

/** What is wrong with an answer that is not empty. */
function problemOf({ type, answer_choices }: CustomQuestion, answer: string): string | false {
  switch (type) {
    case 'phone':
      return !isPhone(answer) && 'must be answered with a phone number, such as +33 1 23 45 67 89'
    case 'select':
    case 'radios':
      return !answer_choices.includes(answer) && `must be answered with one of: ${answer_choices.join(', ')}`
    case 'checkboxes':
      return (
        !areChoices(answer_choices, answer.split('\n')) && `must be answered with some of these, one a line: ${answer_choices.join(', ')}`
      )
    default:
      return false
  }
}

/** Each line one of the choices, none twice. */
function areChoices(choices: string[], lines: string[]): boolean {
  return new Set(lines).size === lines.length && lines.every((line) => choices.includes(line))
}

function isPhone(answer: string): boolean {
  return /^[\d +\-().]+$/.test(answer) && answer.replace(/\D/g, '').length >= 5
}

function sentenceOf(findings: ErrorDetail[]): string {
  const [first, ...others] = findings
  return others.length === 0 ? first!.message : `${first!.message} And ${others.length} more, see the details.`
}

const isEmpty = (answer: string) => answer.trim() === ''
const placeOf = (questions: CustomQuestion[], { question }: Answer) => questions.findIndex(({ name }) => name === question)
