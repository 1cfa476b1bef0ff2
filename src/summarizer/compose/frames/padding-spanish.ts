// Data: sentences in Spanish that fill the promised length of a detailed summary.

import type { Padding } from './padding-english.ts'

export const paddingSpanish: Padding = {
  facts: {
    holds: (entries, words) => `El registro contiene ${entries} con ${words} en total.`,
    onePerson: 'Todo procede de una sola persona, así que no se puede describir ningún intercambio.',
    underMinute: 'Es menos de un minuto de habla normal, así que hay poco que resumir y puede faltar mucho.',
    fewMinutes: 'Son solo unos minutos de habla normal, así que este resumen se queda cerca de la transcripción.',
    seconds: (seconds) => `Entre la primera y la última marca de tiempo hay ${seconds}.`,
    noTimes: 'Las marcas de tiempo no dicen cuánto duró la reunión.',
    noQuestion: 'Ninguna pregunta está marcada como tal en el registro.',
    questions: (questions) => `Llevan signo de interrogación: ${questions}.`,
    noTopic: 'Ninguna palabra se dijo tanto como para nombrarla como tema.',
    decisionRule: 'Una decisión solo figura aquí si se enunció o si se aceptó una propuesta con todas las letras.',
    taskRule: 'Una tarea solo figura aquí si alguien la prometió o la recibió con todas las letras.',
    language: '',
  },
  empty: [
    'La reunión existe, pero todavía no se ha añadido ninguna entrada a su transcripción.',
    'No hay personas, palabras, preguntas ni tiempos que se puedan contar.',
    'Puede que la reunión no haya empezado, que nadie la haya grabado o que sus entradas aún no hayan llegado.',
    'En cuanto se añada la primera entrada, el próximo resumen la describirá.',
    'Hasta entonces cada parte de este resumen está vacía a propósito, y no se ha inventado nada para llenarla.',
    'Una transcripción se puede añadir entrada por entrada durante la reunión o importar después como archivo.',
    'Cada entrada necesita una persona, un texto y un tiempo, y desde entonces cada persona que habla tiene aquí su propia parte.',
  ],
  method: [
    'Este resumen se hizo solo con la transcripción, sin ninguna otra fuente.',
    'Los ruidos, las vacilaciones y las palabras dichas dos veces seguidas se omiten de lo que se cita.',
    'Cada frase nombra las entradas en las que se apoya, para que se pueda volver a lo que realmente se dijo.',
    'Las partes de palabras se cuentan sobre todo el registro y dicen cuánto habló una persona, no cuánto importaba.',
    'El marcado y los enlaces se omiten, y el texto que intenta dar órdenes a programas se cuenta pero no se cita.',
  ],
  engine: [
    'Ningún modelo de lenguaje tomó parte, y no se envió nada a otro servicio.',
    'Las frases se eligen por las palabras que un resumen de la reunión probablemente contendría, y porque se entienden por sí solas.',
    'Todo lo demás que se cita está palabra por palabra en la transcripción.',
    'La misma transcripción da siempre el mismo resumen.',
  ],
  checklist: [
    'Como el registro es pequeño, conviene comprobar algunas cosas antes de fiarse de él.',
    '¿Está completa la transcripción, o la grabación empezó tarde o acabó pronto?',
    '¿Están nombradas todas las personas que participaron, y son correctos sus nombres?',
    '¿Se decidió algo fuera de la parte grabada que debería anotarse?',
    '¿Tiene cada tarea que debía hacerse un responsable y una fecha?',
    '¿Quedó abierta alguna pregunta que habría que retomar?',
    '¿Hay notas, diapositivas o mensajes que pertenezcan a esta reunión?',
    'Quien estuvo allí puede añadir a la transcripción lo que falte, y el resumen la seguirá.',
    'Si la reunión debía ser corta, no hay que hacer nada, y esta página sirve de simple recibo.',
    'Si debía ser más larga, lo primero es mirar de dónde viene la transcripción.',
    'Una segunda reunión sobre el mismo asunto podría empezar por los puntos de arriba.',
    'Las listas de decisiones, tareas y preguntas que acompañan a este texto dicen lo mismo en una forma que los programas pueden leer.',
    'Están vacías donde el registro calla, porque una lista vacía es más útil que una suposición.',
    'Todo esto está aquí porque un resumen detallado tiene una longitud prometida, que un registro pequeño no puede llenar solo.',
  ],
  closing: ['Nada en esta parte cuenta lo que dijo una persona, y así está marcada en la estructura del resumen.'],
}
