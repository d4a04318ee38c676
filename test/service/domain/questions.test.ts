import { describe, expect, test } from 'vitest'
import type { AppError } from '../../../src/contract/errors.ts'
import type { CustomQuestion } from '../../../src/contract/services.ts'
import { checkAnswers } from '../../../src/service/domain/questions.ts'

const asked = (name: string, type: CustomQuestion['type'], more: Partial<CustomQuestion> = {}): CustomQuestion => ({
  name,
  type,
  required: false,
  answer_choices: [],
  ...more,
})
const answered = (question: string, answer: string, position = 0) => ({ question, answer, position })

const colours = { answer_choices: ['Red', 'Green', 'Blue'] }
const questions = [
  asked('Why?', 'text', { required: true }),
  asked('Notes', 'textarea'),
  asked('Phone', 'phone'),
  asked('Colour', 'select', colours),
  asked('Size', 'radios', { answer_choices: ['S', 'L'] }),
  asked('Extras', 'checkboxes', colours),
]

/** The findings about answers, as `parameter: message`; none where they are taken. */
function findings(of: CustomQuestion[], ...answers: ReturnType<typeof answered>[]): string[] {
  try {
    checkAnswers(of, answers)
    return []
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_argument' })
    return (error as AppError).details.map(({ parameter, message }) => `${parameter}: ${message}`)
  }
}

describe('answers that are taken', () => {
  test.each([
    ['Notes', 'two\nlines'],
    ['Phone', '+33 (0)1 23-45.67'],
    ['Phone', '12345'],
    ['Colour', 'Red'],
    ['Size', 'L'],
    ['Extras', 'Blue'],
    ['Extras', 'Blue\nRed'],
    ['Colour', ''],
    ['Phone', ' '],
  ])('%s: %j', (question, answer) => {
    expect(findings(questions, answered('Why?', 'because'), answered(question, answer))).toEqual([])
  })

  test('stand in the order of the questions, with their places, and without the empty ones', () => {
    const answers = [answered('Size', 'S', 9), answered('Notes', ''), answered('Why?', 'because', 3)]
    expect(checkAnswers(questions, answers)).toEqual([answered('Why?', 'because', 0), answered('Size', 'S', 4)])
    expect(answers[0]).toEqual(answered('Size', 'S', 9))
  })

  test('are none where nothing was asked', () => {
    expect(checkAnswers([], [])).toEqual([])
  })
})

describe('answers that are refused', () => {
  test.each([
    ['Phone', 'call me'],
    ['Phone', '1234'],
    ['Phone', '0123456 ext. 7'],
    ['Colour', 'red'],
    ['Colour', 'Red\nBlue'],
    ['Size', 'M'],
    ['Extras', 'Blue\nPink'],
    ['Extras', 'Blue\nBlue'],
    ['Extras', 'Blue\n'],
  ])('%s: %j', (question, answer) => {
    const [finding, ...others] = findings(questions, answered('Why?', 'because'), answered(question, answer))
    expect(finding).toMatch(`questions_and_answers[1].answer: "${question}" must be answered with `)
    expect(others).toEqual([])
  })

  test('where the type asks nothing, are answers to what was not asked', () => {
    expect(findings([], answered('Anything', 'else'))).toEqual(['questions_and_answers[0].question: "Anything" was not asked.'])
  })

  test('all findings come at once', () => {
    const answers = [answered('Colour', 'Pink'), answered('Size', 'S'), answered('Size', 'L'), answered('Hat', 'yes')]
    expect(findings(questions, ...answers)).toEqual([
      'questions_and_answers[0].answer: "Colour" must be answered with one of: Red, Green, Blue.',
      'questions_and_answers[2].question: "Size" is answered twice.',
      'questions_and_answers[3].question: "Hat" was not asked.',
      'questions_and_answers: "Why?" must be answered.',
    ])
  })

  test('a required question with an empty answer is told where the answer stands', () => {
    expect(findings(questions, answered('Why?', ' \n'))).toEqual(['questions_and_answers[0].answer: "Why?" must be answered.'])
  })
})
