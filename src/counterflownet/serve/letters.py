"""The answer to one row as a letter, for download."""

from threading import Event

from fastapi.responses import Response

from counterflownet.explain.letter.html import style_source
from counterflownet.serve import records
from counterflownet.serve.engine import Engine

KINDS = {"html": "text/html; charset=utf-8", "pdf": "application/pdf"}


def letter_response(engine: Engine, question: records.Letter, gone: Event) -> Response:
    """The letter; as HTML it may show its own style and do nothing else."""
    explanation = engine.chosen(question, gone)
    content = explanation.to_letter(form=question.format, language=question.language, texts=question.texts)
    headers = {
        "content-security-policy": f"default-src 'none'; style-src {style_source()}; frame-ancestors 'none'; sandbox",
        "content-disposition": f'attachment; filename="letter.{question.format}"',
    }
    return Response(content, media_type=KINDS[question.format], headers=headers)
